set(TEST_DEPENDS proffer_live nlohmann_json::nlohmann_json)
set(TEST_PROGRAMS proffer proffer-demo proffer-launcher proffer-worker coin_flip)
set(TEST_DEFINITIONS PROFFER_CXX="${CMAKE_CXX_COMPILER}" PROFFER_CMAKE="${CMAKE_COMMAND}"
    PROFFER_BUILD_DIR="${CMAKE_BINARY_DIR}" PROFFER_SANITIZED="${PROFFER_SANITIZE}")
set(TEST_PLUGINS clock_jumps)
set(TEST_PATHS ON)

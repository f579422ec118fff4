set(TEST_DEPENDS proffer_live nlohmann_json::nlohmann_json)
set(TEST_PROGRAMS proffer proffer-launcher proffer-worker coin_flip)
set(TEST_DEFINITIONS PROFFER_CXX="${CMAKE_CXX_COMPILER}")

set(TEST_DEPENDS proffer_live)
set(TEST_PROGRAMS proffer proffer-launcher proffer-worker coin_flip)
set(TEST_TIMEOUT 300)  # a page is typed from its first command to its last
set(TEST_DEFINITIONS PROFFER_BUILD_DIR="${CMAKE_BINARY_DIR}")
set(TEST_PATHS ON)

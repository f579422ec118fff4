set(TEST_DEPENDS proffer_formats proffer_frameworks nlohmann_json::nlohmann_json fmt::fmt)
set(TEST_ALONE tree.cpp)
set(TEST_PATHS ON)

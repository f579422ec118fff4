set(TEST_DEPENDS proffer_core nlohmann_json::nlohmann_json)
set(TEST_PATHS ON)

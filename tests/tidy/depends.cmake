set(TEST_DEPENDS proffer_core nlohmann_json::nlohmann_json)

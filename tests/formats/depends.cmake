set(TEST_DEPENDS proffer_formats nlohmann_json::nlohmann_json fmt::fmt)

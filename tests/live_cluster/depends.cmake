set(TEST_DEPENDS proffer_live nlohmann_json::nlohmann_json)
set(TEST_PROGRAMS proffer proffer-launcher proffer-worker)

set(TEST_DEPENDS proffer_core)
set(TEST_PATHS ON)

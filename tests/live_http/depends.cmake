set(TEST_DEPENDS proffer_live)
set(TEST_PATHS ON)

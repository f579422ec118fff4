set(TEST_DEPENDS proffer_study)
set(TEST_PATHS ON)

set(TEST_DEPENDS proffer_live)
set(TEST_PROGRAMS proffer-launcher proffer-worker)
set(TEST_PATHS ON)

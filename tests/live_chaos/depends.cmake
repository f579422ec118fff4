set(TEST_DEPENDS proffer_live)
set(TEST_PROGRAMS proffer proffer-launcher proffer-worker)
set(TEST_TIMEOUT 420)
set(TEST_PATHS ON)

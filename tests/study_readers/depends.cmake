set(TEST_DEPENDS proffer_study proffer_cli fmt::fmt)
set(TEST_PATHS ON)

set(TEST_DEPENDS proffer_study fmt::fmt)
set(TEST_PATHS ON)

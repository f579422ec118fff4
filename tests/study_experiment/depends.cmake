set(TEST_DEPENDS proffer_study fmt::fmt)

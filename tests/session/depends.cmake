set(TEST_DEPENDS proffer_core)

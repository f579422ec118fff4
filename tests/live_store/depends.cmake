set(TEST_DEPENDS proffer_live)

set(TEST_DEPENDS proffer_frameworks)

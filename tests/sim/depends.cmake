set(TEST_DEPENDS proffer_sim)

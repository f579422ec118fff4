set(TEST_DEPENDS proffer_agent)

set(TEST_DEPENDS proffer_study)

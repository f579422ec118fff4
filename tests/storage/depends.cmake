set(TEST_DEPENDS proffer_storage)

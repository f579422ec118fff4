set(TEST_DEPENDS proffer_cli)

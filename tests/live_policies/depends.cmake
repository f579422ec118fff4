set(TEST_DEPENDS proffer_live proffer_sim proffer_cli)
set(TEST_PATHS ON)

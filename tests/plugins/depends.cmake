set(TEST_DEPENDS proffer_plugins proffer_study proffer_cli)
set(TEST_PROGRAMS coin_flip)
set(TEST_PLUGINS able taken bad_name other_interface no_policies unresolved throwing)
set(TEST_LOADS_PLUGINS ON)

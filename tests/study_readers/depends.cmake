set(TEST_DEPENDS proffer_study proffer_cli fmt::fmt ZLIB::ZLIB)
set(TEST_PATHS ON)

set(TEST_DEPENDS proffer_allocator)

set(TEST_DEPENDS proffer_core)
set(TEST_ALONE pool_orders_test.cpp random_trees_test.cpp user_limits_test.cpp)

find_library(PROFFER_GLPK glpk REQUIRED)  # linear programs, as a reference
set(TEST_DEPENDS proffer_core ${PROFFER_GLPK})
set(TEST_ALONE pool_orders_test.cpp random_trees_test.cpp user_limits_test.cpp)

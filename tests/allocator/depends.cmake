find_library(PROFFER_GLPK glpk REQUIRED)  # linear programs, as a reference
set(TEST_DEPENDS proffer_allocator proffer_formats proffer_frameworks ${PROFFER_GLPK})
# The reference for dominant shares is that of the tests of shares.
cmake_language(DEFER CALL target_sources test_allocator PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/sharing/linear_program.cpp)

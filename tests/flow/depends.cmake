set(TEST_DEPENDS proffer_core)
# The other solver is that of the measurement beside it.
cmake_language(DEFER CALL target_sources test_flow PRIVATE ${PROJECT_SOURCE_DIR}/bench/flow_reference.cpp)
cmake_language(DEFER CALL proffer_alone ${PROJECT_SOURCE_DIR}/bench/flow_reference.cpp)

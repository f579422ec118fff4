set(TEST_DEPENDS proffer_live)
set(TEST_PROGRAMS proffer-worker)
# The catalog and the agents' data ports that workers talk to are those of the store's own tests.
cmake_language(DEFER CALL target_sources test_live_worker PRIVATE
               ${CMAKE_CURRENT_SOURCE_DIR}/live_store/store_cluster.cpp
               ${CMAKE_CURRENT_SOURCE_DIR}/live_store/test_agent.cpp)
set(TEST_PATHS ON)

set(TEST_DEPENDS proffer_live nlohmann_json::nlohmann_json fmt::fmt)
set(TEST_PROGRAMS proffer proffer-launcher proffer-worker)
# Folders and commands are those of the cluster's own tests.
cmake_language(DEFER CALL target_sources test_experiment_command PRIVATE
               ${CMAKE_CURRENT_SOURCE_DIR}/live_cluster/cluster.cpp)
set(TEST_PATHS ON)

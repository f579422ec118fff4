set(TEST_DEPENDS proffer_sim)
set(TEST_TIMEOUT 300)  # a day of faults takes a minute under sanitizers

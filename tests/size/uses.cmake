# Estimates are judged by the engine that holds every value: sim/verify.
target_link_libraries(size_test PRIVATE windrow_verify)

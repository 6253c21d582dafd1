# The recordings are judged by the layer above: sim/verify.
target_link_libraries(bytes_test PRIVATE windrow_verify LibLZMA::LibLZMA)

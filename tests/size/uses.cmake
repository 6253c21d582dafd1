# Estimates are judged by the engine that holds every value: evidence/captures.
target_link_libraries(size_test PRIVATE windrow_captures)

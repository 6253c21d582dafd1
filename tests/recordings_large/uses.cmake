target_link_libraries(recordings_large_test PRIVATE windrow_agreement LibLZMA::LibLZMA)
windrow_test_part(recordings_large recordings_large_random "recordings of random*")
windrow_test_part(recordings_large recordings_large_exact "*agree exactly")

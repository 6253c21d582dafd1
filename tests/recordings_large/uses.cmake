target_link_libraries(recordings_large_test PRIVATE windrow_agreement windrow_resolve nlohmann_json::nlohmann_json LibLZMA::LibLZMA)
windrow_test_part(recordings_large recordings_large_random "recordings of random*")
windrow_test_part(recordings_large recordings_large_exact "*agree exactly")
windrow_test_part(recordings_large recordings_large_scenarios "scenarios of recorded tables*")

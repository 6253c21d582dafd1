target_link_libraries(verify_test PRIVATE LibLZMA::LibLZMA)

target_link_libraries(captures_test PRIVATE LibLZMA::LibLZMA)

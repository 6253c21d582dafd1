target_link_libraries(lint_test PRIVATE LibLZMA::LibLZMA)

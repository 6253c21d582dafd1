target_link_libraries(cql_test PRIVATE LibLZMA::LibLZMA)

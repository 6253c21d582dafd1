find_package(rapidcheck REQUIRED)
target_link_libraries(resolve_test PRIVATE windrow_engine rapidcheck LibLZMA::LibLZMA)

find_package(rapidcheck REQUIRED)
target_link_libraries(resolve_test PRIVATE rapidcheck LibLZMA::LibLZMA)

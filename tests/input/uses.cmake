find_package(rapidcheck REQUIRED)
target_link_libraries(input_test PRIVATE rapidcheck LibLZMA::LibLZMA)

target_link_libraries(scenarios_test PRIVATE windrow_nodes windrow_growth windrow_advice windrow_results windrow_resolve windrow_size)
windrow_test_part(scenarios live_growth "what still grows*,no run that is shorter*")

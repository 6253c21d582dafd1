target_link_libraries(draft_test PRIVATE windrow_record nlohmann_json::nlohmann_json LibLZMA::LibLZMA)

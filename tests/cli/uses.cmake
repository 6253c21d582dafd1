# Runs the built program itself; the gallery runs it once for every scenario, and each fix that these runs tried by itself.
windrow_test_part(cli gallery "docs/gallery.md*,every fix that was tried*")
windrow_test_part(cli advice_full "--advice full*")
add_dependencies(cli_test windrow)
target_compile_definitions(cli_test PRIVATE WINDROW_PROGRAM="$<TARGET_FILE:windrow>" WINDROW_VERSION="${PROJECT_VERSION}")
target_link_libraries(cli_test PRIVATE windrow_advice nlohmann_json::nlohmann_json ZLIB::ZLIB LibLZMA::LibLZMA)
set_source_files_properties(cli/gallery_test.cpp PROPERTIES COMPILE_DEFINITIONS WINDROW_NODE="${NODE}")

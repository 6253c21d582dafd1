target_link_libraries(page_test PRIVATE nlohmann_json::nlohmann_json)

# The page in a real browser; screenshots stay in the build's folder page/.
find_program(CHROMIUM NAMES chromium chromium-browser google-chrome REQUIRED)
add_test(NAME page_in_browser
  COMMAND ${NODE} tests/page/browser.mjs $<TARGET_FILE:windrow> ${CHROMIUM} ${PROJECT_BINARY_DIR}/page
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(page_in_browser PROPERTIES TIMEOUT 1200)

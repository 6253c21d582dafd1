# The review page's template and charts, from plots/ and its libraries (plots/package-lock.json), become part of the program.
find_program(NODE node REQUIRED)
set(plots ${PROJECT_SOURCE_DIR}/plots)
if(NOT EXISTS ${plots}/node_modules/vega/build/vega.min.js)
  message(FATAL_ERROR "The page's libraries are missing: tools/install-deps build (or npm ci in plots) installs them.")
endif()
set(page_template ${PROJECT_BINARY_DIR}/page/template.html)
set(page_specs ${PROJECT_BINARY_DIR}/page/specs.json)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/page)
file(GLOB page_sources CONFIGURE_DEPENDS ${plots}/*.vl.json ${plots}/page.*)
add_custom_command(
  OUTPUT ${page_template} ${page_specs}
  COMMAND ${NODE} ${plots}/bundle.mjs ${page_template} ${page_specs}
  DEPENDS ${page_sources} ${plots}/bundle.mjs ${plots}/package-lock.json
  COMMENT "Bundling the review page")
set_source_files_properties(${PROJECT_SOURCE_DIR}/sim/page/bundle.cpp PROPERTIES
  OBJECT_DEPENDS "${page_template};${page_specs}"
  COMPILE_DEFINITIONS "WINDROW_PAGE_TEMPLATE=\"${page_template}\";WINDROW_CHART_SPECS=\"${page_specs}\"")
# The step belongs to the layer: a file that only another file needs is not made.
target_sources(windrow_page PRIVATE ${page_template} ${page_specs})

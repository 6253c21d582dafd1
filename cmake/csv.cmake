# windrow_csv: fast-cpp-csv-parser, header only, on text that is already in memory: #include <libfccp/csv.h>.
# Without its reading thread: layers below the program start none. The header itself forgets to include <limits>.
find_path(FAST_CPP_CSV_PARSER libfccp/csv.h REQUIRED)
add_library(windrow_csv INTERFACE)
target_include_directories(windrow_csv SYSTEM INTERFACE ${FAST_CPP_CSV_PARSER})
target_compile_definitions(windrow_csv INTERFACE CSV_IO_NO_THREAD)
target_compile_options(windrow_csv INTERFACE "SHELL:-include limits")

# g++ at -O2 finds in the header, once it is inlined, that a file name is cut at 255 characters: as the header means it to.
set_source_files_properties(${PROJECT_SOURCE_DIR}/sim/words/csv.cpp ${PROJECT_SOURCE_DIR}/sim/page/csv_columns.cpp PROPERTIES
  COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-truncation>")

# windrow_csv: fast-cpp-csv-parser, header only, on text that is already in memory: #include <libfccp/csv.h>.
# Without its reading thread: layers below the program start none. The header itself forgets to include <limits>.
find_path(FAST_CPP_CSV_PARSER libfccp/csv.h REQUIRED)
add_library(windrow_csv INTERFACE)
target_include_directories(windrow_csv SYSTEM INTERFACE ${FAST_CPP_CSV_PARSER})
target_compile_definitions(windrow_csv INTERFACE CSV_IO_NO_THREAD)
target_compile_options(windrow_csv INTERFACE "SHELL:-include limits")

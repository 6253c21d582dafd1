# The row-exact engine: a library, for tests that compare with it.
if(NOT TARGET windrow_witness)
  file(GLOB witness_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/witness/lib/*.cpp)
  add_library(windrow_witness STATIC ${witness_sources})
  target_link_libraries(windrow_witness PUBLIC windrow_recordings windrow_reads)
endif()
windrow_test_part(witness witness_recordings "every recording*")
windrow_test_part(witness witness_reads "reads *")
target_link_libraries(witness_test PRIVATE windrow_witness windrow_resolve windrow_record LibLZMA::LibLZMA)

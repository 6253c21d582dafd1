# Random scenarios, and what they do: a library, for the bench that holds the same to seconds.
if(NOT TARGET windrow_random_runs)
  file(GLOB random_run_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cost/lib/*.cpp)
  add_library(windrow_random_runs STATIC ${random_run_sources})
  target_link_libraries(windrow_random_runs PUBLIC windrow_cost windrow_nodes windrow_cluster windrow_load windrow_resolve)
endif()
target_link_libraries(cost_test PRIVATE windrow_random_runs)

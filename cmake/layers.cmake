# One static library per folder of sim/ and evidence/: windrow_layer(name lower...) makes windrow_<name>, linked to the lower ones only.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(LibLZMA REQUIRED)
find_package(ZLIB REQUIRED)
find_package(TBB REQUIRED)
find_package(Threads REQUIRED)
find_package(date REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/csv.cmake)

add_library(windrow_flags INTERFACE)
target_include_directories(windrow_flags INTERFACE ${PROJECT_SOURCE_DIR})
# Same scenario, same bytes, whatever the compiler: no fused multiply-add, no reordering of sums.
target_compile_options(windrow_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wswitch-enum -Werror -ffp-contract=off
  # g++ 12 sees overlaps and gaps in the standard library's own strings, optionals and shared pointers once it inlines them
  # (GCC PR 105329, 105562, 105651); clang++ and the sanitize preset look for real ones.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
target_link_libraries(windrow_flags INTERFACE fmt::fmt)

function(windrow_layer name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sim/${name}/*.cpp ${PROJECT_SOURCE_DIR}/evidence/${name}/*.cpp)
  if(NOT sources)
    add_library(windrow_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(windrow_${name} STATIC ${sources})
    set(scope PUBLIC)
  endif()
  target_link_libraries(windrow_${name} ${scope} windrow_flags)
  foreach(lower IN LISTS ARGN)
    target_link_libraries(windrow_${name} ${scope} windrow_${lower})
  endforeach()
endfunction()

# Libraries of the field are SYSTEM to us, and each is seen by the layers that need it only.
function(windrow_uses name)
  get_target_property(kind windrow_${name} TYPE)
  if(kind STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(windrow_${name} INTERFACE ${ARGN})
  else()
    target_link_libraries(windrow_${name} PUBLIC ${ARGN})
  endif()
endfunction()

# SPDX-License-Identifier: GPL-3.0-or-later
# One line per library, one line per test.

# mooring_sources(OUT FOLDER ...): every .cpp of the folders, by name. New files need no entry.
function(mooring_sources out)
  set(patterns "")
  foreach(folder ${ARGN})
    list(APPEND patterns "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# mooring_library(NAME SOURCES ... LINK ... [PRIVATE ...])
function(mooring_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE mooring_warnings ${arg_PRIVATE})
endfunction()

# mooring_test(NAME SOURCES ... LINK ... [LABELS ...]): a GoogleTest program, one CTest entry per file.
function(mooring_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} mooring_warnings GTest::gtest_main GTest::gmock)
  target_compile_definitions(${name} PRIVATE MOORING_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>) # what is tested is optimized, the test is not
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 LABELS "${arg_LABELS}"
    ENVIRONMENT "OPENBLAS_NUM_THREADS=1;OMP_WAIT_POLICY=passive")
endfunction()

# trommel_library(NAME SOURCES... DEPS...): one library per folder.
# trommel_test(NAME SOURCES... DEPS... [LABELS ...]): one test program per
# folder of tests/, registered with ctest under its name.
set(trommel_warnings -Wall -Wextra -Werror -Wno-missing-field-initializers)

function(trommel_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${trommel_warnings})
  target_link_libraries(${name} PUBLIC ${arg_DEPS})
endfunction()

function(trommel_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${trommel_warnings})
  target_compile_definitions(${name} PRIVATE
    TROMMEL_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set(timeout 600)
  if(arg_TIMEOUT)
    set(timeout ${arg_TIMEOUT})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${timeout}
    ENVIRONMENT_MODIFICATION "TROMMEL_DATA=set:${TROMMEL_DATA}")
endfunction()

# Real sites for measurements; tests that need them skip when they are absent.
if(DEFINED ENV{TROMMEL_DATA})
  set(TROMMEL_DATA "$ENV{TROMMEL_DATA}")
else()
  set(TROMMEL_DATA "${CMAKE_SOURCE_DIR}/../shared/data")
endif()

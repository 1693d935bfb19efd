# trommel_library(NAME SOURCES... DEPS...): one library per folder.
# trommel_verb(NAME SOURCES... DEPS...): the library of `trommel NAME`, with its
# help.txt as the constant kNameHelp, which jobs/registry.h declares.
# trommel_test(NAME SOURCES... DEPS... [LABELS ...] [TIMEOUT seconds]
# [ARGS of the program...]): one test program per
# folder of tests/, registered with ctest under its name.
# trommel_hadoop_test(NAME COMMAND... [LABELS ...]): a test that needs a Hadoop
# cluster. One cluster serves all of them; it is started before the first and
# stopped after the last. The command finds it by HADOOP_HOME, HADOOP_CONF_DIR
# and TROMMEL_TEST_HDFS, the root of its file system.
#
# Tests are compiled with less effort than what they test: a third of the time
# that the whole build takes would go into optimizing code that runs once.
set(trommel_warnings -Wall -Wextra -Werror -Wno-missing-field-initializers)

function(trommel_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${trommel_warnings})
  target_link_libraries(${name} PUBLIC ${arg_DEPS})
endfunction()

function(trommel_verb name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  string(SUBSTRING ${name} 0 1 initial)
  string(TOUPPER ${initial} initial)
  string(SUBSTRING ${name} 1 -1 rest)
  trommel_embed_assets(help jobs/registry.h trommel::jobs
    k${initial}${rest}Help=help.txt)
  trommel_library(trommel_${name}_verb SOURCES ${arg_SOURCES} ${help}
    DEPS ${arg_DEPS})
endfunction()

function(trommel_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPS;LABELS;ARGS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${trommel_warnings} -O1)
  target_compile_definitions(${name} PRIVATE
    TROMMEL_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name} ${arg_ARGS})
  set(timeout 600)
  if(arg_TIMEOUT)
    set(timeout ${arg_TIMEOUT})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${timeout}
    ENVIRONMENT_MODIFICATION "TROMMEL_DATA=set:${TROMMEL_DATA}")
endfunction()

function(trommel_hadoop_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "COMMAND;LABELS" ${ARGN})
  set(cluster "${CMAKE_BINARY_DIR}/pseudo-cluster")
  add_test(NAME ${name} COMMAND
    "${CMAKE_SOURCE_DIR}/tests/testing/with_cluster.sh" "${cluster}"
    ${arg_COMMAND})
  set(timeout 1800)
  if(arg_TIMEOUT)
    set(timeout ${arg_TIMEOUT})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "hadoop;${arg_LABELS}"
    TIMEOUT ${timeout} FIXTURES_REQUIRED hadoop_cluster
    RESOURCE_LOCK hadoop_cluster)
endfunction()

# Real sites for measurements; tests that need them skip when they are absent.
if(DEFINED ENV{TROMMEL_DATA})
  set(TROMMEL_DATA "$ENV{TROMMEL_DATA}")
else()
  set(TROMMEL_DATA "${CMAKE_SOURCE_DIR}/../shared/data")
endif()

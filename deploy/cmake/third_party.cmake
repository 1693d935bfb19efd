# Third-party libraries. Debian's packages first; Arrow and lexbor come from
# where deploy/setup unpacked them.
file(STRINGS "${CMAKE_SOURCE_DIR}/deploy/versions" version_lines REGEX "^[A-Z0-9_]+=")
foreach(line IN LISTS version_lines)
  string(REGEX MATCH "^([A-Z0-9_]+)=(.*)$" ignored "${line}")
  set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()

find_package(absl REQUIRED)
find_package(Protobuf REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(pugixml REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(brotli REQUIRED IMPORTED_TARGET libbrotlidec)
pkg_check_modules(gumbo REQUIRED IMPORTED_TARGET gumbo)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(psl REQUIRED IMPORTED_TARGET libpsl)

# lexbor, compiled with the flags of this build (sanitizers included). Its own
# CMake project sets global flags and installs headers, so it is not used.
set(lexbor_source "${TROMMEL_CACHE}/lexbor-selectolax-${SELECTOLAX_VERSION}/source")
if(NOT EXISTS "${lexbor_source}/lexbor")
  message(FATAL_ERROR "lexbor's source is not at ${lexbor_source}. Run deploy/setup first.")
endif()
file(GLOB_RECURSE lexbor_files "${lexbor_source}/lexbor/*.c")
list(FILTER lexbor_files EXCLUDE REGEX "/(engine|ports/windows_nt)/")
add_library(lexbor STATIC EXCLUDE_FROM_ALL ${lexbor_files})
target_include_directories(lexbor SYSTEM PUBLIC "${lexbor_source}")
target_compile_definitions(lexbor PUBLIC LEXBOR_STATIC PRIVATE _POSIX_C_SOURCE=199309L)
target_compile_options(lexbor PRIVATE -w -std=c99)
set_target_properties(lexbor PROPERTIES CXX_CLANG_TIDY "" C_CLANG_TIDY "")

if(TROMMEL_FUZZ OR NOT TROMMEL_CORE_ONLY)
  find_package(CLI11 REQUIRED)
  # An Arrow of the machine, if it is of the version this is written for;
  # otherwise the libraries and headers inside the pinned pyarrow wheel.
  string(REGEX MATCH "^[0-9]+" arrow_major "${PYARROW_VERSION}")
  find_package(Arrow ${arrow_major} CONFIG QUIET)
  find_package(Parquet ${arrow_major} CONFIG QUIET)
  if(Arrow_FOUND AND Parquet_FOUND)
    add_library(trommel_arrow INTERFACE)
    target_link_libraries(trommel_arrow INTERFACE
      Arrow::arrow_shared Parquet::parquet_shared)
  else()
    set(arrow_sdk "${TROMMEL_CACHE}/arrow-${PYARROW_VERSION}")
    if(NOT EXISTS "${arrow_sdk}/lib/libarrow.so")
      message(FATAL_ERROR "No Arrow found by find_package, and none at ${arrow_sdk}. Run deploy/setup first.")
    endif()
    add_library(trommel_arrow INTERFACE)
    target_include_directories(trommel_arrow SYSTEM INTERFACE "${arrow_sdk}/include")
    target_link_libraries(trommel_arrow INTERFACE
      "${arrow_sdk}/lib/libparquet.so" "${arrow_sdk}/lib/libarrow.so")
  endif()
endif()

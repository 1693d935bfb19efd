# Compiles through ccache where it is installed. Its store is shared by all
# checkouts of this user, so a fresh clone rebuilds in seconds.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # base_dir rewrites absolute paths below it to relative ones, which lets two
  # checkouts share entries; no_hash_dir does the same for debug information.
  set(launcher ${CMAKE_COMMAND} -E env "CCACHE_DIR=${TROMMEL_CACHE}/ccache"
    "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" "CCACHE_NOHASHDIR=1"
    "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
    "CCACHE_MAXSIZE=5G" "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# `cmake --install` makes a tree that runs on any machine of the same
# distribution: bin/trommel with rpath $ORIGIN/../lib, and beside it every
# shared library that is not part of a minimal Debian system.
include(GNUInstallDirs)
set_target_properties(trommel PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
install(TARGETS trommel RUNTIME DESTINATION bin)
install(CODE [[
  file(GET_RUNTIME_DEPENDENCIES
    EXECUTABLES "${CMAKE_INSTALL_PREFIX}/bin/trommel"
    RESOLVED_DEPENDENCIES_VAR libraries
    UNRESOLVED_DEPENDENCIES_VAR unresolved
    DIRECTORIES ]] "\"${arrow_library_dir}\"" [[
    PRE_EXCLUDE_REGEXES "^(ld-linux.*|linux-vdso|libc|libm|libdl|librt|libpthread)[.]so"
    POST_EXCLUDE_REGEXES "^/lib.*/(ld-linux.*|libc|libm|libdl|librt|libpthread)[.]so")
  if(unresolved)
    message(FATAL_ERROR "cannot find the shared libraries ${unresolved}")
  endif()
  foreach(library IN LISTS libraries)
    file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/lib" TYPE SHARED_LIBRARY
      FOLLOW_SYMLINK_CHAIN FILES "${library}")
  endforeach()
  # The libraries find each other wherever the tree is put.
  file(GLOB bundled "${CMAKE_INSTALL_PREFIX}/lib/*.so*")
  foreach(library IN LISTS bundled)
    if(NOT IS_SYMLINK "${library}")
      execute_process(COMMAND patchelf --set-rpath "$ORIGIN" "${library}"
        COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
]])

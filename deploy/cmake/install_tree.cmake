# `cmake --install` makes a tree that runs on any machine of the same
# distribution: bin/trommel with rpath $ORIGIN/../lib, and beside it every
# shared library that is not part of a minimal Debian system.
include(GNUInstallDirs)
set_target_properties(trommel PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
install(TARGETS trommel RUNTIME DESTINATION bin)
install(CODE "set(arrow_library_dir \"${arrow_sdk}/lib\")")
install(CODE [[
  file(MAKE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/lib")
  file(GET_RUNTIME_DEPENDENCIES
    EXECUTABLES "${CMAKE_INSTALL_PREFIX}/bin/trommel"
    RESOLVED_DEPENDENCIES_VAR libraries
    UNRESOLVED_DEPENDENCIES_VAR unresolved
    DIRECTORIES "${arrow_library_dir}"
    PRE_EXCLUDE_REGEXES
      "^(ld-linux.*|linux-vdso|libc|libm|libdl|librt|libpthread)[.]so")
  if(unresolved)
    message(FATAL_ERROR "cannot find the shared libraries ${unresolved}")
  endif()
  foreach(library IN LISTS libraries)
    # Copied under the name the loader asks for, whatever link led there.
    get_filename_component(name "${library}" NAME)
    get_filename_component(real "${library}" REALPATH)
    message(STATUS "Bundling: ${name}")
    file(COPY_FILE "${real}" "${CMAKE_INSTALL_PREFIX}/lib/${name}")
    # The libraries find each other wherever the tree is put.
    execute_process(COMMAND patchelf --set-rpath "$ORIGIN"
      "${CMAKE_INSTALL_PREFIX}/lib/${name}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
]])
# The man page and the completion are written by the program itself, so that they
# say what it does.
install(CODE [[
  function(write_text flag name)
    set(file "${CMAKE_INSTALL_PREFIX}/share/${name}")
    get_filename_component(folder "${file}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    message(STATUS "Writing: ${file}")
    execute_process(COMMAND "${CMAKE_INSTALL_PREFIX}/bin/trommel" ${flag}
      OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  write_text(--man man/man1/trommel.1)
  write_text(--completion=bash bash-completion/completions/trommel)
  write_text(--completion=zsh zsh/site-functions/_trommel)
]])

# `cmake --install` makes a tree that runs wherever it is put, on any machine
# with a C library no older than this one's (deploy/bundle packs it):
#
#   bin/trommel                   with rpath $ORIGIN/../lib
#   lib/                          every shared library but those of the C library
#   lib/libhdfs.so                for a Hadoop installation without one
#   share/man, share/bash-completion, share/zsh
#   share/trommel/                schemas and examples of nightly use
#   share/doc/trommel/            documentation, LICENSE, licences of the libraries
set_target_properties(trommel PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
install(TARGETS trommel RUNTIME DESTINATION bin)
install(FILES "${TROMMEL_CACHE}/hadoop-${HADOOP_VERSION}/lib/native/libhdfs.so"
  DESTINATION lib)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/schemas" "${CMAKE_SOURCE_DIR}/deploy/nightly"
  DESTINATION share/trommel USE_SOURCE_PERMISSIONS)
install(FILES "${CMAKE_SOURCE_DIR}/deploy/hadoop/mapred-site.xml"
  DESTINATION share/trommel/hadoop)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/docs/" DESTINATION share/doc/trommel)
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION share/doc/trommel)
install(CODE "
  execute_process(COMMAND \"${CMAKE_SOURCE_DIR}/deploy/licences\"
    \"${CMAKE_BINARY_DIR}\" \"\${CMAKE_INSTALL_PREFIX}/share/doc/trommel/licences\"
    COMMAND_ERROR_IS_FATAL ANY)
")
# Java is found by JAVA_HOME, and not where it was on this machine.
install(CODE [[
  execute_process(COMMAND patchelf --remove-rpath
    "${CMAKE_INSTALL_PREFIX}/lib/libhdfs.so" COMMAND_ERROR_IS_FATAL ANY)
]])
install(CODE "set(arrow_sdk \"${arrow_sdk}\")")
install(CODE [[
  file(MAKE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/lib")
  file(GET_RUNTIME_DEPENDENCIES
    EXECUTABLES "${CMAKE_INSTALL_PREFIX}/bin/trommel"
    RESOLVED_DEPENDENCIES_VAR libraries
    UNRESOLVED_DEPENDENCIES_VAR unresolved
    DIRECTORIES "${arrow_sdk}/lib"
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

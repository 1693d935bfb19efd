# Files that are part of the binary.
#
#   trommel_embed_assets(OUT_SOURCE HEADER NAMESPACE
#     kStyle=style.css "kScript=one.js two.js")
#
# makes a source file that defines the constants kStyle and kScript, which
# HEADER declares in NAMESPACE, and sets OUT_SOURCE to its name. An asset of
# several files is a script: one function made of all of them.
#
# The file is also the program that writes the source: cmake -P, run whenever an
# asset has changed.

function(trommel_embed_assets out_source header namespace)
  get_filename_component(name "${header}" NAME_WE)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.assets.cc")
  set(files "")
  foreach(asset IN LISTS ARGN)
    string(REGEX REPLACE "^[^=]*=" "" names "${asset}")
    separate_arguments(names UNIX_COMMAND "${names}")
    list(APPEND files ${names})
  endforeach()
  add_custom_command(OUTPUT "${source}"
    COMMAND ${CMAKE_COMMAND} "-DOUT=${source}" "-DHEADER=${header}"
      "-DNAMESPACE=${namespace}" "-DFOLDER=${CMAKE_CURRENT_SOURCE_DIR}"
      "-DASSETS=${ARGN}"
      -P "${CMAKE_SOURCE_DIR}/deploy/cmake/embed_assets.cmake"
    DEPENDS ${files} "${CMAKE_SOURCE_DIR}/deploy/cmake/embed_assets.cmake"
    VERBATIM)
  set(${out_source} "${source}" PARENT_SCOPE)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
foreach(asset IN LISTS ASSETS)
  string(REGEX MATCH "^([^=]*)=(.*)$" matched "${asset}")
  set(name "${CMAKE_MATCH_1}")
  separate_arguments(files UNIX_COMMAND "${CMAKE_MATCH_2}")
  list(LENGTH files num_files)
  set(content "")
  foreach(file IN LISTS files)
    file(READ "${FOLDER}/${file}" part)
    if(num_files GREATER 1)
      string(APPEND content "\n")
    endif()
    string(APPEND content "${part}")
  endforeach()
  if(num_files GREATER 1)
    set(content "(() => {\n'use strict';\n${content}})();\n")
  endif()
  string(APPEND text
    "const std::string_view ${name} = R\"asset(${content})asset\";\n\n")
endforeach()
string(APPEND text "}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUT}" "${text}")

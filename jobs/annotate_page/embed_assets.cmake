# cmake -DOUT=FILE.cc -P embed_assets.cmake: writes the assets of this folder
# as string constants. The script is one function made of several files.
set(here "${CMAKE_CURRENT_LIST_DIR}")
set(text "#include \"jobs/annotate_page/assets_internal.h\"\n\n")
string(APPEND text "namespace trommel::annotate_assets {\n\n")

function(add_asset name content)
  string(APPEND text
    "const std::string_view ${name} = R\"asset(${content})asset\";\n\n")
  set(text "${text}" PARENT_SCOPE)
endfunction()

function(add_file name file)
  file(READ "${here}/${file}" content)
  add_asset(${name} "${content}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

add_file(kAnnotateHtml annotate.html)
add_file(kAnnotateCss annotate.css)
add_file(kFrameCss frame.css)
add_file(kIndexHtml index.html)
add_file(kIndexCss index.css)
add_file(kIndexJs index.js)

set(script "(() => {\n'use strict';\n")
foreach(part data history tree build point draw suggest give panel exchange keys
    move)
  file(READ "${here}/script/${part}.js" content)
  string(APPEND script "\n${content}")
endforeach()
add_asset(kAnnotateJs "${script}})();\n")

string(APPEND text "}  // namespace trommel::annotate_assets\n")
file(WRITE "${OUT}" "${text}")

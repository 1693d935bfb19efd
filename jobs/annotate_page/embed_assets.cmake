# cmake -DOUT=FILE.cc -P embed_assets.cmake: writes the assets of this folder
# as string constants, kAnnotateJs for annotate.js.
set(text "#include \"jobs/annotate_page/assets_internal.h\"\n\n")
string(APPEND text "namespace trommel::annotate_assets {\n\n")
foreach(asset
    annotate.html annotate.css annotate.js frame.css index.html index.css)
  string(REPLACE "." ";" words "${asset}")
  set(name k)
  foreach(word IN LISTS words)
    string(SUBSTRING "${word}" 0 1 first)
    string(SUBSTRING "${word}" 1 -1 rest)
    string(TOUPPER "${first}" first)
    string(APPEND name "${first}${rest}")
  endforeach()
  file(READ "${CMAKE_CURRENT_LIST_DIR}/${asset}" content)
  string(APPEND text
    "const std::string_view ${name} = R\"asset(${content})asset\";\n\n")
endforeach()
string(APPEND text "}  // namespace trommel::annotate_assets\n")
file(WRITE "${OUT}" "${text}")

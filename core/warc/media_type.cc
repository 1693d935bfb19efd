#include "core/warc/media_type.h"

#include <algorithm>
#include <cstddef>

#include "core/warc/ascii_internal.h"

namespace trommel::warc {
namespace {

// The length of the parameter at the start of `text`, up to its semicolon; one
// inside double quotes does not count.
size_t ParameterLength(std::string_view text) {
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ';' && !quoted) {
      return i;
    }
  }
  return text.size();
}

// Without the quotes around it; a missing closing quote is forgiven.
std::string_view Unquoted(std::string_view value) {
  if (value.empty() || (value[0] != '"' && value[0] != '\'')) return value;
  const char quote = value[0];
  value.remove_prefix(1);
  return Trim(value.substr(0, value.find(quote)));
}

}  // namespace

MediaType ParseMediaType(std::string_view content_type) {
  MediaType result;
  const size_t mime_length =
      std::min(content_type.find_first_of(";,"), content_type.size());
  result.mime_type = Lower(Trim(content_type.substr(0, mime_length)));
  std::string_view rest = content_type.substr(mime_length);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the separator
    const size_t length = ParameterLength(rest);
    const std::string_view parameter = rest.substr(0, length);
    rest.remove_prefix(length);
    const size_t equals = parameter.find('=');
    if (equals == std::string_view::npos) continue;
    if (!EqualsIgnoreCase(Trim(parameter.substr(0, equals)), "charset")) {
      continue;
    }
    result.charset = std::string(Unquoted(Trim(parameter.substr(equals + 1))));
    break;
  }
  return result;
}

}  // namespace trommel::warc

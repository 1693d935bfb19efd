#include "synth/truth.h"

#include <cstddef>

#include "core/base/strings.h"

namespace trommel::synth {
namespace {

void AppendJsonString(std::string_view text, std::string* out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out->push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out->append("\\u00");
      out->push_back(kHex[static_cast<unsigned char>(c) >> 4]);
      out->push_back(kHex[c & 15]);
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

void AppendValues(const TruthRecord& record, std::string* out) {
  out->append("\"values\":{");
  bool first_attribute = true;
  for (const TruthValue& value : record.values) {
    if (!first_attribute) out->push_back(',');
    first_attribute = false;
    AppendJsonString(value.attribute, out);
    out->append(":[");
    for (size_t i = 0; i < value.values.size(); ++i) {
      if (i > 0) out->push_back(',');
      AppendJsonString(value.values[i], out);
    }
    out->push_back(']');
  }
  out->append("}}\n");
}

}  // namespace

std::string TruthJsonLines(const GeneratedPage& page) {
  std::string start = "{\"url\":";
  AppendJsonString(page.url, &start);
  start.append(",\"site\":");
  AppendJsonString(page.site, &start);
  start.append(",\"template\":");
  AppendJsonString(page.template_name, &start);
  start.push_back(',');
  if (page.records.empty()) return StrCat(start, "\"values\":{}}\n");
  std::string lines;
  for (size_t i = 0; i < page.records.size(); ++i) {
    lines.append(start);
    if (page.records.size() > 1) StrAppend(&lines, "\"record\":", i, ",");
    AppendValues(page.records[i], &lines);
  }
  return lines;
}

}  // namespace trommel::synth

#include "synth/truth.h"

#include <cstddef>
#include <string_view>

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

void AppendValues(const proto::Schema& schema, const record::Record& record,
                  std::string* out) {
  out->append("\"values\":{");
  for (int place = 0; place < schema.attribute_size(); ++place) {
    if (place > 0) out->push_back(',');
    AppendJsonString(schema.attribute(place).name(), out);
    out->append(":[");
    const std::vector<std::string>& values = record.values(place);
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out->push_back(',');
      AppendJsonString(values[i], out);
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
    AppendValues(*page.schema, page.records[i], &lines);
  }
  return lines;
}

}  // namespace trommel::synth

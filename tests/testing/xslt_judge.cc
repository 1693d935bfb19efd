#include "tests/testing/xslt_judge.h"

#include <cstdlib>
#include <pugixml.hpp>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/html/serialize.h"
#include "core/rule/program_registry.h"
#include "tests/testing/temp_dir.h"

namespace trommel::testing_support {
namespace {

absl::StatusOr<PageValues> ReadRecord(const proto::Rule& rule,
                                      std::string_view text) {
  pugi::xml_document xml;
  const auto result =
      xml.load_buffer(text.data(), text.size(),
                      pugi::parse_default | pugi::parse_ws_pcdata_single);
  const pugi::xml_node record = xml.child("record");
  if (!result || !record || record.attribute("site").value() != rule.site() ||
      record.attribute("cluster_id").value() != rule.cluster_id()) {
    return absl::InternalError(StrCat("no record of the rule: ", text));
  }
  PageValues values(static_cast<size_t>(rule.schema().attribute_size()));
  size_t next = 0;
  for (const pugi::xml_node attribute : record.children("attribute")) {
    while (next < values.size() &&
           rule.schema().attribute(static_cast<int>(next)).name() !=
               attribute.attribute("name").value()) {
      ++next;
    }
    if (next == values.size()) {
      return absl::InternalError(StrCat("not in the schema's order: ", text));
    }
    for (const pugi::xml_node value : attribute.children("value")) {
      values[next].push_back(value.child_value());
    }
  }
  return values;
}

std::string Shown(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) StrAppend(&out, "[", value, "]");
  return out;
}

}  // namespace

absl::StatusOr<std::vector<PageValues>> RunStylesheet(
    const proto::Rule& rule, const std::string& xslt,
    const std::vector<const html::Document*>& pages) {
  const TempDir dir;
  WriteWholeFile(dir / "rule.xslt", xslt);
  std::string command = StrCat("cd ", dir.path(), " && xsltproc rule.xslt");
  for (size_t i = 0; i < pages.size(); ++i) {
    std::string xml;
    html::AppendXml(*pages[i], &xml);
    WriteWholeFile(dir / StrCat(i, ".xml"), xml);
    StrAppend(&command, " ", i, ".xml");
  }
  command += " > out 2> err";
  const int exit_code = std::system(command.c_str());
  const std::string err = ReadWholeFile(dir / "err");
  if (exit_code != 0 || !err.empty()) {
    return absl::InternalError(
        StrCat("xsltproc: ", exit_code, " ", err, "\n", xslt));
  }
  const std::string out = ReadWholeFile(dir / "out");
  constexpr std::string_view kStart = "<?xml ";
  std::vector<PageValues> results;
  for (size_t begin = 0; begin < out.size();) {
    const size_t end = std::min(out.find(kStart, begin + 1), out.size());
    TROMMEL_ASSIGN_OR_RETURN(
        PageValues values,
        ReadRecord(rule, std::string_view(out).substr(begin, end - begin)));
    results.push_back(std::move(values));
    begin = end;
  }
  if (results.size() != pages.size()) {
    return absl::InternalError(StrCat(results.size(), " records"));
  }
  return results;
}

std::string ExportProblem(const proto::Rule& rule,
                          const std::vector<const html::Document*>& pages,
                          size_t* num_values) {
  const absl::StatusOr<std::unique_ptr<rule::PageExtractor>> native =
      rule::CompileRule(rule);
  if (!native.ok()) return native.status().ToString();
  const absl::StatusOr<rule::Stylesheet> stylesheet =
      (*native)->MakeStylesheet();
  if (!stylesheet.ok()) return stylesheet.status().ToString();
  const auto exported = RunStylesheet(rule, stylesheet->xslt, pages);
  if (!exported.ok()) return exported.status().ToString();
  const auto is_exact = [&](const std::string& name) {
    for (const std::string& omission : stylesheet->omissions) {
      if (omission.rfind(name + ",", 0) == 0) return false;
    }
    return true;
  };
  for (size_t p = 0; p < pages.size(); ++p) {
    const record::Record record =
        (*native)->Extract(*pages[p], "http://a.example/page")[0];
    for (size_t a = 0; a < record.attributes.size(); ++a) {
      const std::string& name =
          rule.schema().attribute(static_cast<int>(a)).name();
      if (!is_exact(name)) continue;
      std::vector<std::string> expected;
      for (const std::string& value : record.attributes[a].values) {
        AppendXmlCharacters(value, &expected.emplace_back());
      }
      if (expected != (*exported)[p][a]) {
        std::string xml;
        html::AppendXml(*pages[p], &xml);
        return StrCat("page ", p, ", ", name, ": native ", Shown(expected),
                      ", xsltproc ", Shown((*exported)[p][a]), "\n",
                      rule.DebugString(), "\n", xml.substr(0, 5000));
      }
      *num_values += expected.size();
    }
  }
  return "";
}

}  // namespace trommel::testing_support

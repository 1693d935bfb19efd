#include "jobs/learn/findings_text.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "jobs/cli/text_table.h"

namespace trommel::jobs::learn_job {
namespace {

// An example is recognised by its beginning; status.jsonl has the rest.
constexpr size_t kMaxExampleBytes = 40;

std::string ShowExample(const std::string& value) {
  if (value.size() <= kMaxExampleBytes) return StrCat("\"", value, "\"");
  const size_t end =
      ValidUtf8Prefix(std::string_view(value).substr(0, kMaxExampleBytes));
  return StrCat("\"", value.substr(0, end), "...\"");
}

std::string ExamplesOf(const tables::ClusterStatus& status,
                       const std::string& attribute) {
  std::string text;
  for (const auto& [name, values] : status.examples) {
    if (name != attribute) continue;
    for (const std::string& value : values) {
      StrAppend(&text, text.empty() ? "" : ", ", ShowExample(value));
    }
  }
  return text;
}

}  // namespace

std::string FindingsText(const tables::ClusterStatus& status) {
  if (status.fill.empty()) return "";
  std::string text =
      StrCat(Printable(status.site), " ", Printable(status.cluster_id), ":\n");
  cli::TextTable table({cli::TextTable::Left("  attribute"),
                        cli::TextTable::Right("fill", 6),
                        cli::TextTable::Left("examples", 0, /*gap=*/2)});
  for (const auto& [attribute, share] : status.fill) {
    table.Add(StrCat("  ", attribute), absl::StrFormat("%.1f%%", 100 * share),
              ExamplesOf(status, attribute));
  }
  StrAppend(&text, table.Text());
  for (const tables::StatusDoubt& doubt : status.doubts) {
    StrAppend(&text, "  ", Printable(doubt.attribute), ": ",
              Printable(doubt.text), " (", Printable(doubt.url), ")\n");
  }
  return text;
}

}  // namespace trommel::jobs::learn_job

#include "core/rule/program.h"

#include <algorithm>
#include <set>

#include "core/base/strings.h"

namespace trommel::rule {

PageExtractor::PageExtractor(const proto::Rule& rule)
    : rule_(rule),
      extracts_(static_cast<size_t>(rule.schema().attribute_size())) {}

bool PageExtractor::ExtractsAny() const {
  return std::find(extracts_.begin(), extracts_.end(), true) != extracts_.end();
}

std::vector<std::vector<Opinion>> PageExtractor::Opinions(
    const html::Document& document, std::string_view url) const {
  std::vector<std::vector<Opinion>> opinions(extracts_.size());
  const std::vector<record::Record> records = Extract(document, url);
  for (size_t i = 0; i < opinions.size(); ++i) {
    if (!extracts_[i]) continue;
    Opinion& opinion = opinions[i].emplace_back();
    std::set<std::string> seen;
    for (const record::Record& record : records) {
      for (const std::string& value : record.values(static_cast<int>(i))) {
        if (seen.insert(value).second) opinion.values.push_back(value);
      }
    }
  }
  return opinions;
}

absl::StatusOr<Stylesheet> PageExtractor::MakeStylesheet() const {
  return absl::UnimplementedError(StrCat(
      "programs of the kind ", Describe().kind, " cannot be said in XSLT"));
}

}  // namespace trommel::rule

#include "core/rule/rule.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <tuple>

#include "core/base/hash.h"
#include "core/base/status.h"

namespace trommel {
namespace {

// The same bytes for the same message, which protobuf promises only on demand.
std::string Serialize(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

}  // namespace

std::string RuleId(const proto::Rule& rule) {
  proto::Rule content = rule;
  content.clear_learner();
  content.clear_sample_page();
  content.clear_validity();
  content.clear_reused_from();
  content.clear_bellwether();
  constexpr size_t kDigits = 12;
  return StrCat(rule.cluster_id(), "@",
                Hex64(Hash64(Serialize(content))).substr(0, kDigits));
}

std::string EncodeRules(const proto::RuleSet& rules) {
  return Serialize(rules);
}

absl::StatusOr<proto::RuleSet> DecodeRules(std::string_view bytes) {
  proto::RuleSet rules;
  if (!rules.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::DataLossError("not a set of rules, or cut off");
  }
  return rules;
}

std::string RulesAsText(const proto::RuleSet& rules) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseUtf8StringEscaping(true);
  std::string text;
  printer.PrintToString(rules, &text);
  return text;
}

std::string XPathOf(const proto::Extractor& extractor) {
  std::string xpath = extractor.xpath();
  for (const std::string& also : extractor.also()) {
    StrAppend(&xpath, " | ", also);
  }
  return xpath;
}

void SortRules(proto::RuleSet* rules) {
  std::sort(rules->mutable_rule()->begin(), rules->mutable_rule()->end(),
            [](const proto::Rule& a, const proto::Rule& b) {
              return std::tie(a.site(), a.cluster_id()) <
                     std::tie(b.site(), b.cluster_id());
            });
}

}  // namespace trommel

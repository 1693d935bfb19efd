#include "core/rule/rule.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <tuple>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "proto/rule_format1.pb.h"

namespace trommel::rule {
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

// Rules of format 1, of which `old` has what was stored otherwise: attributes
// become a program, and a bellwether's values its record.
void Upgrade(const proto::format1::RuleSet& old, proto::RuleSet* rules) {
  for (int i = 0; i < old.rule_size(); ++i) {
    proto::Rule* const rule = rules->mutable_rule(i);
    rule->DiscardUnknownFields();
    *rule->mutable_program()->mutable_fields()->mutable_attribute() =
        old.rule(i).attribute();
    for (const proto::format1::Bellwether& before : old.rule(i).bellwether()) {
      proto::PageRecords* const bellwether = rule->add_bellwether();
      bellwether->set_url(before.url());
      proto::Record* const record = bellwether->add_record();
      for (const proto::format1::Values& golden : before.golden()) {
        proto::AttributeValues* const attribute = record->add_attribute();
        attribute->set_name(golden.attribute());
        *attribute->mutable_value() = golden.value();
      }
    }
  }
}

}  // namespace

std::string RuleId(const proto::Rule& rule) {
  proto::Rule content = rule;
  content.clear_learner();
  content.clear_sample_page();
  content.clear_validity();
  content.clear_reused_from();
  content.clear_bellwether();
  // Programs of attributes are hashed as the first format stored them, which
  // keeps the ids that records and rule stores have of them.
  std::string bytes;
  if (rule.program().has_fields()) {
    content.clear_program();
    proto::format1::Rule attributes;
    *attributes.mutable_attribute() = rule.program().fields().attribute();
    bytes = StrCat(Serialize(content), Serialize(attributes));
  } else {
    bytes = Serialize(content);
  }
  constexpr size_t kDigits = 12;
  return StrCat(rule.cluster_id(), "@",
                Hex64(Hash64(bytes)).substr(0, kDigits));
}

std::string WholeRuleId(const proto::Rule& rule) {
  if (rule.switched_off().empty()) return RuleId(rule);
  proto::Rule whole = rule;
  whole.clear_switched_off();
  return RuleId(whole);
}

std::string EncodeRules(const proto::RuleSet& rules) {
  proto::RuleSet stored = rules;
  stored.set_format(kRulesFormat);
  return Serialize(stored);
}

absl::StatusOr<proto::RuleSet> DecodeRules(std::string_view bytes) {
  const int size = static_cast<int>(bytes.size());
  proto::RuleSet rules;
  proto::format1::RuleSet old;
  if (!rules.ParseFromArray(bytes.data(), size) ||
      (rules.format() == 0 && !old.ParseFromArray(bytes.data(), size))) {
    return absl::DataLossError("not a set of rules, or cut off");
  }
  if (rules.format() != 0 && rules.format() != kRulesFormat) {
    return absl::FailedPreconditionError(
        StrCat("rules of format ", rules.format(),
               ", and this program reads 1 and ", kRulesFormat,
               "; use the program that wrote them, or learn the rules anew "
               "with this one (trommel learn)"));
  }
  if (rules.format() == 0) Upgrade(old, &rules);
  rules.set_format(kRulesFormat);
  return rules;
}

std::string RulesAsText(const proto::RuleSet& rules) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseUtf8StringEscaping(true);
  std::string text;
  printer.PrintToString(rules, &text);
  return text;
}

void SortRules(proto::RuleSet* rules) {
  std::sort(rules->mutable_rule()->begin(), rules->mutable_rule()->end(),
            [](const proto::Rule& a, const proto::Rule& b) {
              return std::tie(a.site(), a.cluster_id()) <
                     std::tie(b.site(), b.cluster_id());
            });
}

}  // namespace trommel::rule

#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/rule/rule.h"
#include "jobs/explain/explanation.h"

namespace trommel {
namespace {

using nlohmann::ordered_json;

std::string Quoted(std::string_view text) {
  return StrCat("\"", Printable(text), "\"");
}

// The first of them; JSON has all.
std::string QuotedList(const std::vector<std::string>& values) {
  constexpr size_t kValuesShown = 10;
  std::string list;
  for (size_t i = 0; i < std::min(values.size(), kValuesShown); ++i) {
    StrAppend(&list, i == 0 ? "" : ", ", Quoted(values[i]));
  }
  if (values.size() > kValuesShown) {
    StrAppend(&list, ", ... and ", values.size() - kValuesShown, " more");
  }
  return list;
}

// What an extractor does with the nodes that its XPath selects.
std::string Refinements(const proto::Extractor& extractor) {
  std::string text;
  if (extractor.has_classifier()) {
    StrAppend(&text, "; the best of them by a classifier of ",
              Counted(extractor.classifier().feature_size(), "feature"));
  }
  if (extractor.has_range()) {
    const proto::TextRange& range = extractor.range();
    StrAppend(&text, "; words ", range.first(),
              range.first_from_end() ? " from the end" : "", " to ",
              range.last(), range.last_from_end() ? " from the end" : "");
  }
  if (!extractor.regex().empty()) {
    StrAppend(&text, "; what matches ", extractor.regex());
  }
  return text;
}

void AppendRule(const RuleEvidence& rule, bool is_chosen, std::string* text) {
  absl::StrAppendFormat(text, "  %s %s  importance %d\n", is_chosen ? "*" : " ",
                        rule.rule_id, rule.rule->importance());
  absl::StrAppendFormat(text, "      URL %s %s\n",
                        rule.url_matches ? "matches" : "does not match",
                        Printable(rule.rule->url_regex()));
  if (rule.signature.empty()) {
    StrAppend(text, "      no signature covers the page\n");
  } else {
    absl::StrAppendFormat(
        text, "      signature %s covers the page (importance %d)\n",
        rule.signature, rule.signature_importance);
  }
  if (rule.likeness.has_value()) {
    absl::StrAppendFormat(text, "      likeness to the template %.2f, %s\n",
                          *rule.likeness,
                          rule.is_like_enough ? "enough" : "not enough");
  }
}

void AppendAlternative(const AlternativeEvidence& alternative, size_t number,
                       bool is_chosen, std::string* text) {
  absl::StrAppendFormat(text, "  %s %d. %s%s\n", is_chosen ? "*" : " ", number,
                        Printable(XPathOf(*alternative.extractor)),
                        Printable(Refinements(*alternative.extractor)));
  if (alternative.num_nodes == 0) {
    StrAppend(text, "         selects nothing\n");
    return;
  }
  for (const NodeEvidence& node : alternative.nodes) {
    absl::StrAppendFormat(text, "         %s  %s%s\n", node.path,
                          Quoted(node.text),
                          node.has_value ? "" : "  (no value)");
  }
  if (alternative.num_nodes > alternative.nodes.size()) {
    StrAppend(text, "         ... and ",
              alternative.num_nodes - alternative.nodes.size(),
              " more nodes\n");
  }
  StrAppend(
      text, "         = ",
      alternative.values.empty() ? "no value" : QuotedList(alternative.values),
      "\n");
}

}  // namespace

void AppendChoice(const Choice& choice, std::string* text) {
  StrAppend(text, "site: ", Printable(choice.site), "\n");
  if (choice.chosen < 0) {
    StrAppend(text, "rule: none, ", choice.by, "\n");
  } else {
    const RuleEvidence& chosen =
        choice.rules[static_cast<size_t>(choice.chosen)];
    StrAppend(text, "rule: ", chosen.rule_id, ", by ", choice.by, "\n");
    if (!chosen.rule->reused_from().empty()) {
      StrAppend(text, "      a copy of ", chosen.rule->reused_from(), "\n");
    }
  }
  StrAppend(text, "why: ", choice.why, "\n");
  if (!choice.signature.empty()) {
    StrAppend(text, "signature of the page: ", choice.signature, "\n");
  }
  if (choice.rules.empty()) return;
  StrAppend(text, "rules of the site:\n");
  for (size_t i = 0; i < choice.rules.size(); ++i) {
    AppendRule(choice.rules[i], choice.chosen == static_cast<int>(i), text);
  }
}

void AppendExtraction(const ExtractionEvidence& extraction, std::string* text) {
  for (const AttributeEvidence& attribute : extraction.attributes) {
    const std::string& name = attribute.attribute->name();
    if (attribute.alternatives.empty()) {
      StrAppend(text, name, ": the rule does not extract it\n");
      continue;
    }
    if (attribute.record.values.empty()) {
      StrAppend(text, name, ": no value\n");
    } else {
      absl::StrAppendFormat(text, "%s: %s  confidence %.2f\n", name,
                            QuotedList(attribute.record.values),
                            attribute.record.confidence);
    }
    for (size_t i = 0; i < attribute.alternatives.size(); ++i) {
      AppendAlternative(attribute.alternatives[i], i + 1,
                        attribute.record.alternative == static_cast<int>(i),
                        text);
    }
  }
  const PageRecord& record = extraction.record;
  if (record.IsRecord()) {
    absl::StrAppendFormat(text, "record: confidence %.2f\n", record.confidence);
  } else if (record.missing != nullptr) {
    StrAppend(text, "record: none, missing_mandatory (", record.missing->name(),
              ")\n");
  } else {
    StrAppend(text, "record: none, empty\n");
  }
}

ordered_json ChoiceAsJson(const Choice& choice) {
  ordered_json json;
  json["site"] = choice.site;
  const bool has_rule = choice.chosen >= 0;
  json["rule_id"] =
      has_rule ? ordered_json(
                     choice.rules[static_cast<size_t>(choice.chosen)].rule_id)
               : ordered_json(nullptr);
  json["by"] = has_rule ? ordered_json(choice.by) : ordered_json(nullptr);
  json["reason"] = has_rule ? ordered_json(nullptr) : ordered_json(choice.by);
  json["why"] = choice.why;
  json["signature"] = choice.signature.empty() ? ordered_json(nullptr)
                                               : ordered_json(choice.signature);
  json["rules"] = ordered_json::array();
  for (const RuleEvidence& rule : choice.rules) {
    ordered_json entry;
    entry["rule_id"] = rule.rule_id;
    entry["cluster_id"] = rule.rule->cluster_id();
    entry["importance"] = rule.rule->importance();
    entry["url_regex"] = rule.rule->url_regex();
    entry["url_matches"] = rule.url_matches;
    entry["signature"] = rule.signature.empty() ? ordered_json(nullptr)
                                                : ordered_json(rule.signature);
    entry["signature_importance"] =
        rule.signature.empty() ? ordered_json(nullptr)
                               : ordered_json(rule.signature_importance);
    entry["likeness"] = rule.likeness.has_value() ? ordered_json(*rule.likeness)
                                                  : ordered_json(nullptr);
    entry["is_like_enough"] = rule.is_like_enough;
    json["rules"].push_back(std::move(entry));
  }
  return json;
}

ordered_json ExtractionAsJson(const ExtractionEvidence& extraction) {
  ordered_json json;
  const PageRecord& record = extraction.record;
  json["is_record"] = record.IsRecord();
  json["confidence"] = record.confidence;
  json["missing"] = record.missing == nullptr
                        ? ordered_json(nullptr)
                        : ordered_json(record.missing->name());
  json["attributes"] = ordered_json::array();
  for (const AttributeEvidence& attribute : extraction.attributes) {
    ordered_json entry;
    entry["attribute"] = attribute.attribute->name();
    entry["values"] = attribute.record.values;
    entry["confidence"] = attribute.record.confidence;
    entry["alternative"] = attribute.record.alternative < 0
                               ? ordered_json(nullptr)
                               : ordered_json(attribute.record.alternative);
    entry["alternatives"] = ordered_json::array();
    for (const AlternativeEvidence& alternative : attribute.alternatives) {
      ordered_json of_alternative;
      of_alternative["xpath"] = XPathOf(*alternative.extractor);
      of_alternative["classifier_features"] =
          alternative.extractor->classifier().feature_size();
      of_alternative["has_range"] = alternative.extractor->has_range();
      of_alternative["regex"] =
          alternative.extractor->regex().empty()
              ? ordered_json(nullptr)
              : ordered_json(alternative.extractor->regex());
      of_alternative["num_nodes"] = alternative.num_nodes;
      of_alternative["nodes"] = ordered_json::array();
      for (const NodeEvidence& node : alternative.nodes) {
        of_alternative["nodes"].push_back({{"path", node.path},
                                           {"text", node.text},
                                           {"has_value", node.has_value}});
      }
      of_alternative["values"] = alternative.values;
      entry["alternatives"].push_back(std::move(of_alternative));
    }
    json["attributes"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace trommel

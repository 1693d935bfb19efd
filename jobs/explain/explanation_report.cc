#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "jobs/explain/explanation.h"

namespace trommel::jobs::explain {
namespace {

using nlohmann::ordered_json;

// A value, or null where there is none.
template <typename T>
ordered_json JsonIf(bool has_value, const T& value) {
  return has_value ? ordered_json(value) : ordered_json(nullptr);
}
ordered_json TextOrNull(std::string_view text) {
  return JsonIf(!text.empty(), text);
}

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

constexpr size_t kNodesShown = 10;
constexpr size_t kTextBytes = 100;

// Cut at a character.
std::string Cut(std::string text) {
  if (text.size() <= kTextBytes) return text;
  text.resize(kTextBytes);
  text.resize(ValidUtf8Prefix(text));
  return text + "…";
}

std::string PathOf(const rule::NodeEvidence& node,
                   const html::Document& document) {
  std::string path = PositionPath(document, node.node);
  if (node.attribute != html::names::kNone) {
    StrAppend(&path, "/@", document.NameOf(node.attribute));
  }
  return path;
}

// Of a page with one record; null for another.
const record::AttributeValues* ValuesOf(const ExplainedPage& page, size_t i) {
  return page.records.size() == 1 ? &page.records[0].attributes[i] : nullptr;
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

void AppendPart(const ExplainedPart& explained, bool is_chosen,
                const html::Document& document, std::string* text) {
  const rule::PartEvidence& evidence = explained.evidence;
  absl::StrAppendFormat(text, "  %s %d. %s\n", is_chosen ? "*" : " ",
                        explained.part.number + 1,
                        Printable(explained.part.text));
  if (evidence.nodes.empty()) {
    StrAppend(text, "         selects nothing\n");
    return;
  }
  for (size_t i = 0; i < std::min(evidence.nodes.size(), kNodesShown); ++i) {
    const rule::NodeEvidence& node = evidence.nodes[i];
    absl::StrAppendFormat(text, "         %s  %s%s\n", PathOf(node, document),
                          Quoted(Cut(node.text)),
                          node.has_value ? "" : "  (no value)");
  }
  if (evidence.nodes.size() > kNodesShown) {
    StrAppend(text, "         ... and ", evidence.nodes.size() - kNodesShown,
              " more nodes\n");
  }
  StrAppend(text, "         = ",
            evidence.values.empty() ? "no value" : QuotedList(evidence.values),
            "\n");
}

void AppendRecord(const ExplainedPage& page, const record::Record& record,
                  const std::string& name, std::string* text) {
  const record::Completeness completeness =
      record::CheckComplete(*page.schema, record);
  if (completeness.IsRecord()) {
    absl::StrAppendFormat(text, "%s: confidence %.2f\n", name,
                          record.Confidence());
  } else if (completeness.missing != nullptr) {
    StrAppend(text, name, ": none, missing_mandatory (",
              completeness.missing->name(), ")\n");
  } else {
    StrAppend(text, name, ": none, empty\n");
  }
}

ordered_json RecordJson(const ExplainedPage& page,
                        const record::Record& record) {
  const record::Completeness completeness =
      record::CheckComplete(*page.schema, record);
  ordered_json json;
  json["is_record"] = completeness.IsRecord();
  json["confidence"] = record.Confidence();
  json["missing"] = completeness.missing == nullptr
                        ? ordered_json(nullptr)
                        : ordered_json(completeness.missing->name());
  return json;
}

ordered_json PartJson(const ExplainedPart& explained,
                      const html::Document& document) {
  ordered_json json = explained.part.json;
  const std::vector<rule::NodeEvidence>& nodes = explained.evidence.nodes;
  json["num_nodes"] = nodes.size();
  json["nodes"] = ordered_json::array();
  for (size_t i = 0; i < std::min(nodes.size(), kNodesShown); ++i) {
    json["nodes"].push_back({{"path", PathOf(nodes[i], document)},
                             {"text", Cut(nodes[i].text)},
                             {"has_value", nodes[i].has_value}});
  }
  json["values"] = explained.evidence.values;
  return json;
}

}  // namespace

void AppendChoice(const Choice& choice, std::string* text) {
  StrAppend(text, "site: ", Printable(choice.site), "\n");
  const RuleEvidence* const chosen = choice.Chosen();
  if (chosen == nullptr) {
    StrAppend(text, "rule: none, ", choice.by, "\n");
  } else {
    StrAppend(text, "rule: ", chosen->rule_id, ", by ", choice.by, "\n");
    if (!chosen->rule->reused_from().empty()) {
      StrAppend(text, "      a copy of ", chosen->rule->reused_from(), "\n");
    }
  }
  StrAppend(text, "why: ", choice.why, "\n");
  if (!choice.signature.empty()) {
    StrAppend(text, "signature of the page: ", choice.signature, "\n");
  }
  if (choice.rules.empty()) return;
  StrAppend(text, "rules of the site:\n");
  for (const RuleEvidence& rule : choice.rules) {
    AppendRule(rule, &rule == chosen, text);
  }
}

void AppendExtraction(const ExplainedPage& page, const html::Document& document,
                      std::string* text) {
  for (int i = 0; i < page.schema->attribute_size(); ++i) {
    const std::string& name = page.schema->attribute(i).name();
    const std::vector<std::string> values = record::AllValues(page.records, i);
    const record::AttributeValues* const found =
        ValuesOf(page, static_cast<size_t>(i));
    std::string parts;
    for (const ExplainedPart& explained : page.parts) {
      if (explained.part.attribute != name) continue;
      AppendPart(explained,
                 found != nullptr && found->part == explained.part.number,
                 document, &parts);
    }
    if (values.empty()) {
      StrAppend(text, name, ": ",
                parts.empty() ? "the rule does not extract it" : "no value",
                "\n");
    } else if (found != nullptr) {
      absl::StrAppendFormat(text, "%s: %s  confidence %.2f\n", name,
                            QuotedList(values), found->confidence);
    } else {
      StrAppend(text, name, ": ", QuotedList(values), "\n");
    }
    StrAppend(text, parts);
  }
  for (const ExplainedPart& explained : page.parts) {
    if (!explained.part.attribute.empty()) continue;
    AppendPart(explained, /*is_chosen=*/false, document, text);
  }
  if (page.records.empty()) StrAppend(text, "record: none\n");
  for (size_t i = 0; i < page.records.size(); ++i) {
    AppendRecord(page, page.records[i],
                 page.records.size() == 1 ? "record" : StrCat("record ", i),
                 text);
  }
}

ordered_json ChoiceAsJson(const Choice& choice) {
  ordered_json json;
  json["site"] = choice.site;
  const bool has_rule = choice.Chosen() != nullptr;
  json["rule_id"] = TextOrNull(has_rule ? choice.Chosen()->rule_id : "");
  json["by"] = JsonIf(has_rule, choice.by);
  json["reason"] = JsonIf(!has_rule, choice.by);
  json["why"] = choice.why;
  json["signature"] = TextOrNull(choice.signature);
  json["rules"] = ordered_json::array();
  for (const RuleEvidence& rule : choice.rules) {
    ordered_json entry;
    entry["rule_id"] = rule.rule_id;
    entry["cluster_id"] = rule.rule->cluster_id();
    entry["importance"] = rule.rule->importance();
    entry["url_regex"] = rule.rule->url_regex();
    entry["url_matches"] = rule.url_matches;
    entry["signature"] = TextOrNull(rule.signature);
    entry["signature_importance"] =
        JsonIf(!rule.signature.empty(), rule.signature_importance);
    entry["likeness"] =
        JsonIf(rule.likeness.has_value(), rule.likeness.value_or(0));
    entry["is_like_enough"] = rule.is_like_enough;
    json["rules"].push_back(std::move(entry));
  }
  return json;
}

ordered_json ExtractionAsJson(const ExplainedPage& page,
                              const html::Document& document) {
  ordered_json json;
  // What a page of one record has; of several, each has it.
  json.update(RecordJson(page, page.records.size() == 1
                                   ? page.records[0]
                                   : record::Record(*page.schema)));
  if (page.records.size() != 1) {
    json["is_record"] = record::HasRecord(*page.schema, page.records);
    json["records"] = ordered_json::array();
    for (const record::Record& record : page.records) {
      json["records"].push_back(RecordJson(page, record));
      for (int i = 0; i < page.schema->attribute_size(); ++i) {
        json["records"].back()["values"][page.schema->attribute(i).name()] =
            record.values(i);
      }
    }
  }
  json["attributes"] = ordered_json::array();
  for (int i = 0; i < page.schema->attribute_size(); ++i) {
    const std::string& name = page.schema->attribute(i).name();
    const record::AttributeValues* const found =
        ValuesOf(page, static_cast<size_t>(i));
    ordered_json entry;
    entry["attribute"] = name;
    entry["values"] = record::AllValues(page.records, i);
    entry["confidence"] = found == nullptr ? 0 : found->confidence;
    entry["alternative"] = found == nullptr || found->part < 0
                               ? ordered_json(nullptr)
                               : ordered_json(found->part);
    entry["alternatives"] = ordered_json::array();
    for (const ExplainedPart& explained : page.parts) {
      if (explained.part.attribute != name) continue;
      entry["alternatives"].push_back(PartJson(explained, document));
    }
    json["attributes"].push_back(std::move(entry));
  }
  for (const ExplainedPart& explained : page.parts) {
    if (!explained.part.attribute.empty()) continue;
    json["parts"].push_back(PartJson(explained, document));
  }
  return json;
}

}  // namespace trommel::jobs::explain

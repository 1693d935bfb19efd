#include "core/rule/fields/description.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/base/strings.h"
#include "core/rule/fields/fields.h"
#include "core/rule/fields/text_range.h"

namespace trommel::rule::fields {
namespace {

using nlohmann::ordered_json;

std::string XPathText(const proto::Extractor& extractor) {
  return absl::StrJoin(XPathsOf(extractor), " | ");
}

std::string WordText(int32_t number, bool from_end) {
  return StrCat(number, from_end ? " from the end" : "");
}

// `after the last "by " if it is there`.
std::string DelimiterText(std::string_view side,
                          const proto::Delimiter& delimiter) {
  return StrCat(side, delimiter.from_end() ? " the last \"" : " \"",
                delimiter.literal(), "\"",
                delimiter.may_be_missing() ? " if it is there" : "");
}

std::string RangeText(const proto::TextRange& range) {
  if (IsRangeOfWords(range)) {
    return StrCat("words ", WordText(range.first(), range.first_from_end()),
                  " to ", WordText(range.last(), range.last_from_end()));
  }
  std::vector<std::string> parts;
  if (range.has_after()) parts.push_back(DelimiterText("after", range.after()));
  if (range.has_before()) {
    parts.push_back(DelimiterText("before", range.before()));
  }
  if (range.separator_size() > 0) {
    parts.push_back(StrCat("split at \"",
                           absl::StrJoin(range.separator(), "\", \""), "\""));
  }
  return absl::StrJoin(parts, ", ");
}

std::string TextOf(const proto::Extractor& extractor, bool is_layer) {
  std::string text = XPathText(extractor);
  if (extractor.has_classifier()) {
    StrAppend(&text, "; the best of them by a classifier of ",
              Counted(extractor.classifier().feature_size(), "feature"));
  }
  if (extractor.has_range()) {
    StrAppend(&text, "; ", RangeText(extractor.range()));
  }
  if (!extractor.regex().empty()) {
    StrAppend(&text, "; what matches ", extractor.regex());
  }
  if (!extractor.check().empty()) {
    StrAppend(&text, "; if it has ", extractor.check());
  }
  for (int i = 0; i < extractor.stop_value_size(); ++i) {
    StrAppend(&text, i == 0 ? "; never " : ", ", "\"", extractor.stop_value(i),
              "\"");
  }
  if (is_layer) StrAppend(&text, "; if none before it finds anything");
  return text;
}

ordered_json ClassifierJson(const proto::Classifier& classifier) {
  ordered_json features = ordered_json::array();
  for (const proto::Classifier::Feature& feature : classifier.feature()) {
    features.push_back({{"xpath", feature.xpath()},
                        {"log_odds_present", feature.log_odds_present()},
                        {"log_odds_absent", feature.log_odds_absent()}});
  }
  return {{"prior_log_odds", classifier.prior_log_odds()},
          {"feature", std::move(features)}};
}

ordered_json DelimiterJson(const proto::Delimiter& delimiter) {
  return {{"literal", delimiter.literal()},
          {"from_end", delimiter.from_end()},
          {"may_be_missing", delimiter.may_be_missing()}};
}

ordered_json RangeJson(const proto::TextRange& range) {
  if (IsRangeOfWords(range)) {
    return {{"first", range.first()},
            {"first_from_end", range.first_from_end()},
            {"last", range.last()},
            {"last_from_end", range.last_from_end()}};
  }
  ordered_json json = ordered_json::object();
  if (range.has_after()) json["after"] = DelimiterJson(range.after());
  if (range.has_before()) json["before"] = DelimiterJson(range.before());
  if (range.separator_size() > 0) {
    json["separators"] = std::vector<std::string>(range.separator().begin(),
                                                  range.separator().end());
  }
  return json;
}

ordered_json JsonOf(const proto::Extractor& extractor, bool is_layer) {
  ordered_json json = {{"xpath", XPathText(extractor)}};
  if (extractor.has_classifier()) {
    json["classifier"] = ClassifierJson(extractor.classifier());
  }
  if (extractor.has_range()) {
    json["range"] = RangeJson(extractor.range());
  }
  if (!extractor.regex().empty()) json["regex"] = extractor.regex();
  if (!extractor.check().empty()) json["check"] = extractor.check();
  if (extractor.stop_value_size() > 0) {
    json["stop_values"] = std::vector<std::string>(
        extractor.stop_value().begin(), extractor.stop_value().end());
  }
  if (is_layer) json["combination"] = "first";
  return json;
}

}  // namespace

ProgramDescription DescribeFields(const proto::Rule& rule) {
  ProgramDescription description;
  description.kind = "fields";
  for (const proto::Attribute& attribute : rule.schema().attribute()) {
    int number = 0;
    for (const proto::AttributeRule& attribute_rule :
         rule.program().fields().attribute()) {
      if (attribute_rule.name() != attribute.name()) continue;
      const bool is_layered =
          attribute_rule.combination() == proto::AttributeRule::FIRST;
      for (const proto::Extractor& extractor : attribute_rule.alternative()) {
        const bool is_layer = is_layered && number > 0;
        description.parts.push_back({attribute.name(), number,
                                     TextOf(extractor, is_layer),
                                     JsonOf(extractor, is_layer)});
        ++number;
      }
    }
  }
  return description;
}

}  // namespace trommel::rule::fields

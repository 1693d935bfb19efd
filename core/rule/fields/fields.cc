#include "core/rule/fields/fields.h"

#include <utility>

namespace trommel::rule::fields {

bool IsFields(const proto::Program& program) { return program.has_fields(); }

const proto::AttributeRule* FindAttributeRule(const proto::Program& program,
                                              std::string_view attribute) {
  for (const proto::AttributeRule& rule : program.fields().attribute()) {
    if (rule.name() == attribute) return &rule;
  }
  return nullptr;
}

void AddAttributeRule(proto::AttributeRule attribute_rule,
                      proto::Program* program) {
  *program->mutable_fields()->add_attribute() = std::move(attribute_rule);
}

void AddStopValues(const std::set<std::string>& stop_values,
                   proto::AttributeRule* attribute_rule) {
  for (proto::Extractor& alternative : *attribute_rule->mutable_alternative()) {
    const std::set<std::string> known(alternative.stop_value().begin(),
                                      alternative.stop_value().end());
    for (const std::string& value : stop_values) {
      if (known.count(value) == 0) alternative.add_stop_value(value);
    }
  }
}

std::vector<std::string> XPathsOf(const proto::Extractor& extractor) {
  std::vector<std::string> xpaths = {extractor.xpath()};
  xpaths.insert(xpaths.end(), extractor.also().begin(), extractor.also().end());
  return xpaths;
}

}  // namespace trommel::rule::fields

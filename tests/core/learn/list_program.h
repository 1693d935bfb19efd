#ifndef TROMMEL_TESTS_CORE_LEARN_LIST_PROGRAM_H_
#define TROMMEL_TESTS_CORE_LEARN_LIST_PROGRAM_H_

// A kind of program that gives many records a page, and a learner that makes
// such programs: what an extension of one's own may look like, as small as it
// can be. A record is a list item, and the values of an attribute are the
// elements in it whose class is the attribute's name.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/html/document.h"
#include "core/html/text.h"
#include "core/learn/learner.h"
#include "core/rule/program.h"
#include "core/rule/program_registry.h"

namespace trommel::testing_support {

inline constexpr char kListProgram[] = "list";

class ListExtractor final : public rule::PageExtractor {
 public:
  explicit ListExtractor(const proto::Rule& rule) : rule::PageExtractor(rule) {
    for (int i = 0; i < schema().attribute_size(); ++i) {
      SetExtracts(static_cast<size_t>(i));
    }
  }

  std::vector<record::Record> Extract(const html::Document& document,
                                      std::string_view /*url*/) const override {
    std::vector<record::Record> records;
    for (html::NodeId item = 1; item < document.num_nodes(); ++item) {
      if (!document.IsElement(item) || document.TagOf(item) != "li") continue;
      record::Record& record = records.emplace_back(schema());
      for (html::NodeId id = item; id < document.node(item).subtree_end; ++id) {
        if (document.IsElement(id)) AddValue(document, id, &record);
      }
    }
    return records;
  }

  rule::ProgramDescription Describe() const override {
    return {kListProgram, {}};
  }
  rule::Explanation Explain(const html::Document& document,
                            std::string_view url) const override {
    return {Extract(document, url), {}};
  }

 private:
  void AddValue(const html::Document& document, html::NodeId element,
                record::Record* record) const {
    const std::string_view css_class =
        document.Value(element, html::names::k_class);
    for (int i = 0; i < schema().attribute_size(); ++i) {
      if (schema().attribute(i).name() != css_class) continue;
      record::AttributeValues& values =
          record->attributes[static_cast<size_t>(i)];
      values.values.push_back(html::NormalizedText(document, element));
      values.confidence = 1;
    }
  }
};

// Makes the kind known to CompileRule().
inline void RegisterListProgram() {
  rule::RegisterProgramKind(
      {kListProgram,
       [](const proto::Rule& rule)
           -> absl::StatusOr<std::unique_ptr<rule::PageExtractor>> {
         return std::make_unique<ListExtractor>(rule);
       }});
}

inline proto::Program ListProgram() {
  proto::Program program;
  program.mutable_other()->set_kind(kListProgram);
  return program;
}

class ListLearner final : public learn::Learner {
 public:
  std::string_view name() const override { return "list"; }
  absl::StatusOr<learn::LearnOutput> Learn(
      const learn::LearnInput& /*input*/) const override {
    learn::LearnOutput output;
    output.program = ListProgram();
    output.learner = name();
    return output;
  }
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_CORE_LEARN_LIST_PROGRAM_H_

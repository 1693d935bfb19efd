#include "tests/jobs/own_learner/rows_learner.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "core/annotation/placed_values.h"
#include "core/base/status.h"
#include "core/html/text.h"
#include "core/learn/learner.h"
#include "core/learn/registry.h"
#include "core/rule/program.h"
#include "core/rule/program_registry.h"

namespace trommel::testing_support {
namespace {

using html::Document;
using html::NodeId;
namespace names = html::names;

constexpr char kKind[] = "rows";
constexpr char kConfidence[] = "rows-confidence";

// --- The program -------------------------------------------------------------

// Stored as {"row":"item","confidence":0.7,"attributes":{"title":"name"}}: the
// class of rows, and that of each attribute inside them. A value that begins
// with "about" is believed a third as much.
class RowsExtractor final : public rule::PageExtractor {
 public:
  static absl::StatusOr<std::unique_ptr<rule::PageExtractor>> Compile(
      const proto::Rule& rule) {
    auto json =
        nlohmann::ordered_json::parse(rule.program().other().content(), nullptr,
                                      /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("row") ||
        !json.contains("attributes")) {
      return absl::InvalidArgumentError("a program of rows is cut off");
    }
    return std::unique_ptr<rule::PageExtractor>(
        new RowsExtractor(rule, std::move(json)));
  }

  std::vector<record::Record> Extract(const Document& document,
                                      std::string_view /*url*/) const override {
    std::vector<record::Record> records;
    for (const NodeId row : WithClass(document, 0, row_)) {
      record::Record& record = records.emplace_back(schema());
      for (size_t i = 0; i < classes_.size(); ++i) {
        if (classes_[i].empty()) continue;
        record::AttributeValues& found = record.attributes[i];
        for (const NodeId node : WithClass(document, row, classes_[i])) {
          found.values.push_back(html::VisibleText(document, node));
          const bool is_vague = found.values.back().rfind("about ", 0) == 0;
          found.confidence = is_vague ? confidence_ / 3 : confidence_;
          found.part = 0;
          if (!schema().attribute(static_cast<int>(i)).repeated()) break;
        }
      }
    }
    return records;
  }

  rule::ProgramDescription Describe() const override {
    rule::ProgramDescription description;
    description.kind = kKind;
    description.parts.push_back(
        {"", 0, StrCat("a record is a .", row_), {{"row", row_}}});
    for (size_t i = 0; i < classes_.size(); ++i) {
      if (classes_[i].empty()) continue;
      description.parts.push_back(
          {schema().attribute(static_cast<int>(i)).name(),
           0,
           StrCat(".", classes_[i], " inside it"),
           {{"class", classes_[i]}}});
    }
    return description;
  }

  rule::Explanation Explain(const Document& document,
                            std::string_view url) const override {
    rule::Explanation explanation;
    explanation.records = Extract(document, url);
    const std::vector<NodeId> rows = WithClass(document, 0, row_);
    AddEvidence(document, rows, /*has_value=*/false, &explanation);
    for (const std::string& name : classes_) {
      if (name.empty()) continue;
      std::vector<NodeId> nodes;
      for (const NodeId row : rows) {
        const std::vector<NodeId> inside = WithClass(document, row, name);
        nodes.insert(nodes.end(), inside.begin(), inside.end());
      }
      AddEvidence(document, nodes, /*has_value=*/true, &explanation);
    }
    return explanation;
  }

 private:
  RowsExtractor(const proto::Rule& rule, nlohmann::ordered_json json)
      : rule::PageExtractor(rule),
        row_(json["row"].get<std::string>()),
        confidence_(json.value("confidence", 0.5)) {
    for (int i = 0; i < schema().attribute_size(); ++i) {
      classes_.push_back(
          json["attributes"].value(schema().attribute(i).name(), ""));
      if (!classes_.back().empty()) SetExtracts(static_cast<size_t>(i));
    }
  }

  // Elements of a class below a node, in document order.
  static std::vector<NodeId> WithClass(const Document& document, NodeId root,
                                       const std::string& name) {
    std::vector<NodeId> nodes;
    for (NodeId id = root + 1; id < document.node(root).subtree_end; ++id) {
      if (document.IsElement(id) &&
          document.Value(id, names::k_class) == name) {
        nodes.push_back(id);
      }
    }
    return nodes;
  }

  static void AddEvidence(const Document& document,
                          const std::vector<NodeId>& nodes, bool has_value,
                          rule::Explanation* explanation) {
    rule::PartEvidence& evidence = explanation->parts.emplace_back();
    for (const NodeId node : nodes) {
      const std::string text = html::VisibleText(document, node);
      evidence.nodes.push_back({node, names::kNone, text, has_value});
      if (has_value) evidence.values.push_back(text);
    }
  }

  const std::string row_;
  const double confidence_;
  std::vector<std::string> classes_;  // by attribute; empty: not extracted
};

// --- The learner -------------------------------------------------------------

class RowsLearner final : public learn::Learner {
 public:
  explicit RowsLearner(double confidence) : confidence_(confidence) {}

  std::string_view name() const override { return kKind; }

  absl::StatusOr<learn::LearnOutput> Learn(
      const learn::LearnInput& input) const override {
    std::deque<annotation::PageText> texts;
    std::vector<annotation::ResolvePage> pages;
    for (const learn::LearnPage& page : *input.pages) {
      texts.emplace_back(page.document);
      pages.push_back({&texts.back(), page.url});
    }
    annotation::PlacedAnnotations placed =
        annotation::PlaceAnnotations(*input.schema, input.annotations, pages);
    learn::LearnOutput output;
    output.learner = kKind;
    output.warnings = std::move(placed.warnings);
    nlohmann::ordered_json program;
    program["confidence"] = confidence_;
    program["attributes"] = nlohmann::ordered_json::object();
    // By page and record.
    std::map<std::pair<size_t, int64_t>, std::vector<NodeId>> records;
    for (int i = 0; i < input.schema->attribute_size(); ++i) {
      const annotation::PlacedAttribute& attribute =
          placed.attributes[static_cast<size_t>(i)];
      std::set<std::string> classes;
      for (const annotation::PlacedValue& value : attribute.values) {
        const Document& document = (*input.pages)[value.page].document;
        NodeId node = value.place.node;
        if (document.IsText(node)) node = document.node(node).parent;
        classes.emplace(document.Value(node, names::k_class));
        records[{value.page, value.record.value_or(0)}].push_back(node);
      }
      if (classes.size() == 1 && !classes.begin()->empty()) {
        program["attributes"][input.schema->attribute(i).name()] =
            *classes.begin();
      } else if (attribute.is_annotated) {
        output.failures.push_back(StrCat(input.schema->attribute(i).name(),
                                         ": it has no class of its own"));
      }
    }
    const std::string row = RowClass(*input.pages, records);
    if (row.empty() || program["attributes"].empty()) return output;
    program["row"] = row;
    proto::OtherProgram* const other = output.program.mutable_other();
    other->set_kind(kKind);
    other->set_content(program.dump());
    return output;
  }

 private:
  using Records = std::map<std::pair<size_t, int64_t>, std::vector<NodeId>>;

  // The class of the largest element around each record that is in no other;
  // empty where they differ.
  static std::string RowClass(const std::vector<learn::LearnPage>& pages,
                              const Records& records) {
    std::set<std::string> classes;
    for (const auto& record : records) {
      const auto page = record.first.first;
      const Document& document = pages[page].document;
      const auto contains_other = [&](NodeId element) {
        return std::any_of(records.begin(), records.end(), [&](auto& other) {
          return other.first.first == page && other.first != record.first &&
                 document.IsAncestor(element, other.second[0]);
        });
      };
      NodeId row = record.second[0];
      while (document.node(row).parent != 0 &&
             !contains_other(document.node(row).parent)) {
        row = document.node(row).parent;
      }
      classes.emplace(document.Value(row, names::k_class));
    }
    return classes.size() == 1 ? *classes.begin() : "";
  }

  const double confidence_;
};

absl::StatusOr<std::unique_ptr<learn::Learner>> MakeRowsLearner(
    const learn::LearnerOptions& options) {
  double confidence = 0;
  if (!absl::SimpleAtod(options.at(kConfidence), &confidence) ||
      confidence < 0 || confidence > 1) {
    return absl::InvalidArgumentError(
        StrCat("--", kConfidence, " is from 0 to 1"));
  }
  return std::make_unique<RowsLearner>(confidence);
}

}  // namespace

void RegisterRowsLearner() {
  rule::RegisterProgramKind({kKind, RowsExtractor::Compile});
  learn::RegisterLearner(
      {kKind,
       {{kConfidence, "of the values of every record", "0.7"}},
       MakeRowsLearner});
}

}  // namespace trommel::testing_support

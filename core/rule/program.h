#ifndef TROMMEL_CORE_RULE_PROGRAM_H_
#define TROMMEL_CORE_RULE_PROGRAM_H_

// The program of a rule: what runs on a page and gives its records.
//
//   TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<PageExtractor> extractor,
//                            CompileRule(rule));     // program_registry.h
//   for (const record::Record& found : extractor->Extract(document, url)) ...
//
// There are several kinds of program (proto/rule.proto). Whoever matches pages
// to rules, extracts, monitors, reuses, explains or exports knows them by this
// interface only; what is inside is the business of the kind's own folder and
// of the learners that make such programs.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/document.h"
#include "core/record/record.h"
#include "proto/rule.pb.h"

namespace trommel::rule {

// A part of a program, as people and tools are told of it: of a program of
// XPaths, one XPath with what is done to the nodes that it selects.
struct ProgramPart {
  std::string attribute;  // empty for a part that finds whole records
  int number = 0;         // among the parts of the attribute, from 0
  // The whole part on one line, for people.
  std::string text;
  // The same for tools: an object. Its first member is "xpath" where the part
  // selects nodes by one.
  nlohmann::ordered_json json;
};

struct ProgramDescription {
  std::string kind;                // "fields"
  std::vector<ProgramPart> parts;  // in the order of the schema, then by number
};

// What one voice among those that have a say on an attribute finds on a page.
struct Opinion {
  std::vector<html::NodeId> nodes;  // that give the values, in document order
  std::vector<std::string> values;  // repetitions left out
};

// A node that a part of a program looks at.
struct NodeEvidence {
  html::NodeId node = html::kNoNode;
  html::NameId attribute = html::names::kNone;  // of the node, if it is that
  std::string text;                             // of either, normalised
  bool has_value = false;  // whether it gave a value after all tests
};

struct PartEvidence {
  // Those that give values first.
  std::vector<NodeEvidence> nodes;
  std::vector<std::string> values;
};

// What a program makes of a page, with the evidence.
struct Explanation {
  std::vector<record::Record> records;
  std::vector<PartEvidence> parts;  // as in the description
};

// A program as an XSLT 1.0 stylesheet, for those who run rules elsewhere.
struct Stylesheet {
  std::string xslt;
  // What the stylesheet leaves out, for people, one line each: "price,
  // alternative 2: ...". Also in its comments.
  std::vector<std::string> omissions;
};

// A compiled program. May be used by several threads. Finds no blank values.
class PageExtractor {
 public:
  // Keeps a copy of the rule.
  explicit PageExtractor(const proto::Rule& rule);
  virtual ~PageExtractor() = default;
  PageExtractor(const PageExtractor&) = delete;
  PageExtractor& operator=(const PageExtractor&) = delete;

  const proto::Rule& rule() const { return rule_; }
  const proto::Schema& schema() const { return rule_.schema(); }

  // The attributes of the schema, by place, that the program may find values
  // of.
  const std::vector<bool>& extracts() const { return extracts_; }
  bool ExtractsAny() const;

  // What the page has, in document order. Records may be incomplete:
  // record::CheckComplete() says so.
  virtual std::vector<record::Record> Extract(const html::Document& document,
                                              std::string_view url) const = 0;

  // What those that have a say on each attribute of the schema find, by place.
  // Where they differ, one of them is wrong; one that finds nothing is silent.
  // A program that asks no one twice has one voice for an attribute: what its
  // records have.
  virtual std::vector<std::vector<Opinion>> Opinions(
      const html::Document& document, std::string_view url) const;

  virtual ProgramDescription Describe() const = 0;

  virtual Explanation Explain(const html::Document& document,
                              std::string_view url) const = 0;

  // Unimplemented where XSLT cannot say what the program does.
  virtual absl::StatusOr<Stylesheet> MakeStylesheet() const;

 protected:
  // For constructors: the program may find values of this attribute.
  void SetExtracts(size_t attribute) { extracts_[attribute] = true; }

 private:
  const proto::Rule rule_;
  std::vector<bool> extracts_;
};

}  // namespace trommel::rule

#endif  // TROMMEL_CORE_RULE_PROGRAM_H_

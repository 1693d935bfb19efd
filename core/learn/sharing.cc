#include "core/learn/sharing.h"

#include <re2/re2.h>

#include <memory>
#include <set>
#include <string>

#include "core/base/status.h"
#include "core/learn/bellwethers.h"
#include "core/record/record.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "core/schema/schema.h"

// Sharing.
//
// A site often has several clusters of the same kind of page: products with and
// without reviews, films with and without pictures. An editor who has annotated
// one of them need not annotate the others if its rule works there. Nobody has
// said what is right on those pages, so the rule must leave no doubt:
//
//  - every page of the sample gives complete records, with all that the rule
//    can extract where the schema calls nothing mandatory;
//  - no value was found by weak evidence alone (a classifier, the place among
//    several nodes), which always finds something;
//  - values are of the types that the schema gives their attributes;
//  - of an attribute that is not repeated, all parts of the rule that find
//    something find the same one value. A list of products has many prices, so
//    the rule of a product does not fit it. A rule that gives several records a
//    page is not asked this.
//
// Cost: the rule runs on the sample pages of the cluster, twice, until the
// first that does not fit.

namespace trommel::learn {
namespace {

// Tests values by the types of their attributes.
class TypeTest {
 public:
  explicit TypeTest(const proto::Schema& schema) {
    for (const proto::Attribute& attribute : schema.attribute()) {
      const std::string pattern = schema::CheckPattern(attribute);
      patterns_.push_back(
          pattern.empty() || schema::IsLink(attribute)
              ? nullptr
              : std::make_unique<const RE2>(pattern, RE2::Quiet));
    }
  }

  bool Passes(int attribute, const std::string& value) const {
    const auto& pattern = patterns_[static_cast<size_t>(attribute)];
    return pattern == nullptr || RE2::PartialMatch(value, *pattern);
  }

 private:
  std::vector<std::unique_ptr<const RE2>> patterns_;  // null: any value
};

bool IsBeyondDoubt(const rule::PageExtractor& extractor,
                   const TypeTest& type_test, const record::Record& record) {
  const proto::Schema& schema = extractor.schema();
  // What has more attributes than its schema is a record of something else.
  if (record.attributes.size() > static_cast<size_t>(schema.attribute_size()) ||
      !record::CheckComplete(schema, record, extractor.extracts()).IsRecord()) {
    return false;
  }
  for (size_t i = 0; i < record.attributes.size(); ++i) {
    if (record.attributes[i].is_weak) return false;
    for (const std::string& value : record.attributes[i].values) {
      if (!type_test.Passes(static_cast<int>(i), value)) return false;
    }
  }
  return true;
}

// Whether all that find something find the same one value.
bool AgreeOnOne(const std::vector<rule::Opinion>& opinions) {
  std::set<std::string> values;
  for (const rule::Opinion& opinion : opinions) {
    values.insert(opinion.values.begin(), opinion.values.end());
  }
  return values.size() <= 1;
}

bool FitsPage(const rule::PageExtractor& extractor, const TypeTest& type_test,
              const LearnPage& page) {
  const proto::Schema& schema = extractor.schema();
  const std::vector<record::Record> records =
      extractor.Extract(page.document, page.url);
  if (records.empty()) return false;
  for (const record::Record& record : records) {
    if (!IsBeyondDoubt(extractor, type_test, record)) return false;
  }
  // A page of several records has several values of everything.
  if (records.size() > 1) return true;
  const auto opinions = extractor.Opinions(page.document, page.url);
  for (int i = 0; i < schema.attribute_size(); ++i) {
    if (!records[0].values(i).empty() && !schema.attribute(i).repeated() &&
        !AgreeOnOne(opinions[static_cast<size_t>(i)])) {
      return false;
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> FitsSample(const proto::Rule& rule,
                                const std::vector<LearnPage>& pages) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<rule::PageExtractor> extractor,
                           rule::CompileRule(rule));
  const TypeTest type_test(rule.schema());
  for (const LearnPage& page : pages) {
    if (!FitsPage(*extractor, type_test, page)) return false;
  }
  return true;
}

absl::StatusOr<proto::Rule> ShareRule(const proto::Rule& rule,
                                      const proto::Rule& about,
                                      const std::vector<LearnPage>& pages) {
  proto::Rule copy = about;
  *copy.mutable_schema() = rule.schema();
  *copy.mutable_program() = rule.program();
  copy.set_learner(rule.learner());
  copy.set_reused_from(rule::RuleId(rule));
  AddSamplePages(pages, /*annotated=*/{}, &copy);
  proto::Validity* const validity = copy.mutable_validity();
  validity->set_valid(true);
  validity->set_precision(1);
  validity->set_recall(1);
  validity->set_pages(static_cast<int64_t>(pages.size()));
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<rule::PageExtractor> extractor,
                           rule::CompileRule(copy));
  AddBellwethers(*extractor, pages, &copy);
  return copy;
}

}  // namespace trommel::learn

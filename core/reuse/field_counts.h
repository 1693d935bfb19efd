#ifndef TROMMEL_CORE_REUSE_FIELD_COUNTS_H_
#define TROMMEL_CORE_REUSE_FIELD_COUNTS_H_

// The field test of a rule on the pages of a new cluster: counted page by page,
// then judged.
//
//   FieldCounts counts;
//   counts.AddShared(schema, golden, fresh);   // old and new version crawled
//   counts.AddUnshared(schema, fresh);         // only the new one
//   const FieldVerdict verdict = JudgeFields(schema, counts, how, thresholds);

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/attribute_counts.h"
#include "core/record/comparison.h"
#include "core/record/record.h"
#include "core/reuse/candidates.h"
#include "proto/schema.pb.h"

namespace trommel::reuse {

struct FieldCounts {
  // Pages whose old version was in a cluster too: the next five together.
  int64_t shared = 0;
  int64_t passed = 0;
  int64_t null = 0;      // had a record; something that must be there is not
  int64_t wrong = 0;     // had a record; a constant attribute is another
  int64_t appeared = 0;  // had no record and has one now
  int64_t silent = 0;    // had no record and has none
  // Records of the pages that had any.
  int64_t records = 0;
  // Pages without an old version, and those of them that give a record.
  int64_t unshared = 0;
  int64_t unshared_complete = 0;
  std::map<std::string, record::AttributeCounts> attributes;
  // The same where the old values are weak.
  std::map<std::string, record::AttributeCounts> weak_attributes;

  friend bool operator==(const FieldCounts&, const FieldCounts&) = default;

  // A page with an old version. `golden` is what was extracted from that one;
  // nothing where its cluster had no rule. Whether the page passed.
  bool AddShared(const proto::Schema& schema,
                 const std::vector<record::Record>& golden,
                 const std::vector<record::Record>& fresh);
  void AddUnshared(const proto::Schema& schema,
                   const std::vector<record::Record>& fresh);

  // Whether nothing at all was found to be different.
  bool IsAsBefore() const;
  // Pages that had a record.
  int64_t tested() const { return passed + null + wrong; }
  // That pass, of those that could fail; 0 where there are none.
  double PassShare() const;

  // As named numbers, for tables; those that are 0 are left out. AddEvent()
  // takes them back and adds up; false for a name that is none.
  void VisitEvents(const std::function<void(const std::string& event,
                                            int64_t count)>& visit) const;
  bool AddEvent(std::string_view event, int64_t count);

 private:
  // A record that the page had, and what it is now.
  record::FieldResult AddPair(const proto::Schema& schema,
                              const record::Record& golden,
                              const record::Record& fresh);
};

// A record in the form in which it is compared between designs of a site:
// without what says that there is no value ("n/a", "-"), unless the attribute
// is mandatory.
record::Record ComparableRecord(const proto::Schema& schema,
                                const record::Record& record);
// The same with the values of repeated attributes cut at commas and the like: a
// new design may print as two values what the old one printed as one ("Drama,
// War"). The other way round a value would be lost in another, which is no
// repair.
record::Record CutLists(const proto::Schema& schema, record::Record record);
// Whether a text says that there is no value.
bool IsPlaceholder(std::string_view value);
// The parts of a list.
std::vector<std::string> SplitList(std::string_view text);

struct FieldThresholds {
  // The share of pages that must pass. The paper asks for all of them; one odd
  // page in twenty is less than a variant of a template.
  double min_pass = 0.95;
  // An attribute that is neither mandatory nor constant may be gone from this
  // share of the pages that had it: what is sold out has no price.
  double max_lost = 0.2;
  // With fewer tested pages than this the cluster's other pages must give
  // records too.
  int64_t few_pages = 10;
};

struct FieldVerdict {
  bool passes = false;
  std::string reason;  // for people, either way
};

// Whether an attribute's extractors no longer do what they did. `is_certain`:
// a shingle test says that the pages are built as they were.
bool IsBroken(const proto::Attribute& attribute, const FieldCounts& counts,
              bool is_certain, const FieldThresholds& thresholds);

FieldVerdict JudgeFields(const proto::Schema& schema, const FieldCounts& counts,
                         HowMatched how, const FieldThresholds& thresholds);

}  // namespace trommel::reuse

#endif  // TROMMEL_CORE_REUSE_FIELD_COUNTS_H_

#include "core/reuse/field_counts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "core/base/share.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/record/alignment.h"
#include "core/record/comparison.h"
#include "core/record/value_set.h"

// The field test of section IV-C of the Vertex paper.
//
// "We apply R_m to the old and new versions of the pages in U. For the field
// test to be successful, we require that (1) The extracted values for constant
// attributes should match between the old and new versions of the pages, and
// (2) R_m should successfully extract all the mandatory attributes from the new
// version of the pages."
//
// Where this differs:
//
//  - The values of an old version are those that its own rule extracted from
//    it, which is R_m for the pages of C_m. For the few others of U what counts
//    is what the records had, not what R_m would have made of a page it was
//    never given; where there was no rule, nothing is what they had.
//  - Not all pages have to pass but a share of them: pages are edited, and some
//    were extracted wrongly even before.
//  - A page that had no record and has none says nothing; one that has a record
//    all of a sudden speaks against the rule. At least half of the pages must
//    say something.
//  - Attributes that are neither constant nor mandatory have a say as well,
//    since a record loses or falsifies their values just the same. Such a value
//    may change, so what is asked is that the attribute is not gone from most
//    pages that had it, does not turn up on pages that never had it, and that
//    values are still alike. Where no shingle test vouches for the structure of
//    the pages, alike is not enough: a price in another place looks like the
//    price. Then half of the values must be the same.
//  - Old values are not above doubt. One that only a further alternative of the
//    rule found says nothing, unless most of the attribute's values are such.
//    "n/a" is no value. One text that lists several values of a repeated
//    attribute may become several texts, since lists are cut up when a site is
//    redesigned; several must not become one.
//  - A page may have several records: those before and now are aligned, each is
//    compared with its own, and the page passes if all of its old ones do.

namespace trommel::reuse {

using record::AttributeCounts;
using record::NormalizedValues;
using record::Record;

namespace {

// "n/a" in place of "n/a" is nothing new; in place of nothing it is a value
// that should not be there.
void RestoreNewPlaceholders(const Record& golden, const Record& fresh,
                            Record* now) {
  for (size_t i = 0; i < now->attributes.size(); ++i) {
    const int place = static_cast<int>(i);
    if (golden.values(place).empty() && now->values(place).empty()) {
      now->attributes[i].values = fresh.values(place);
    }
  }
}

// The counts by name; one list serves writing and reading.
template <typename Counts>
struct NamedCount {
  const char* name;
  int64_t Counts::*count;
};
constexpr NamedCount<FieldCounts> kCounts[] = {
    {"shared", &FieldCounts::shared},
    {"passed", &FieldCounts::passed},
    {"null", &FieldCounts::null},
    {"wrong", &FieldCounts::wrong},
    {"appeared", &FieldCounts::appeared},
    {"silent", &FieldCounts::silent},
    {"records", &FieldCounts::records},
    {"unshared", &FieldCounts::unshared},
    {"unshared_complete", &FieldCounts::unshared_complete},
};
// Followed by '.' and the name of the attribute, which may have any bytes.
constexpr NamedCount<AttributeCounts> kAttributeCounts[] = {
    {"had", &AttributeCounts::had},       {"lost", &AttributeCounts::lost},
    {"gained", &AttributeCounts::gained}, {"same", &AttributeCounts::same},
    {"alike", &AttributeCounts::alike},
};

// In front of those where the old values are weak.
constexpr std::string_view kWeak = "weak_";

// Counts that are all 0 have no entry once they were written and read.
AttributeCounts CountsOf(const proto::Attribute& attribute,
                         const std::map<std::string, AttributeCounts>& all) {
  const auto found = all.find(attribute.name());
  return found == all.end() ? AttributeCounts() : found->second;
}

// What is wrong with an attribute, in words; empty where nothing is.
std::string Complaint(const proto::Attribute& attribute,
                      const FieldCounts& counts, bool is_certain,
                      const FieldThresholds& thresholds) {
  const AttributeCounts strong = CountsOf(attribute, counts.attributes);
  const AttributeCounts weak = CountsOf(attribute, counts.weak_attributes);
  AttributeCounts all = strong;
  if (weak.had > strong.had) {
    all.had += weak.had;
    all.lost += weak.lost;
    all.same += weak.same;
    all.alike += weak.alike;
  }
  const bool is_strict = attribute.mandatory() || attribute.constant();
  const double tolerated =
      is_strict ? 1 - thresholds.min_pass : thresholds.max_lost;
  const int64_t kept = all.kept();
  const int64_t had_not =
      std::max<int64_t>(0, counts.records - strong.had - weak.had);
  // One page is noise, whatever its share.
  if (all.lost > 1 && ShareOf(all.lost, all.had) > tolerated) {
    return StrCat(attribute.name(), " is missing on ", all.lost, " of ",
                  Counted(all.had, "page"), " that had it");
  }
  // Of a few pages without a value, one that gains it is a large share.
  if (all.gained > 1 &&
      ShareOf(all.gained, std::max(had_not, thresholds.few_pages)) >
          tolerated) {
    return StrCat(attribute.name(), " turns up on ", all.gained, " of ",
                  Counted(had_not, "page"), " that did not have it");
  }
  if (attribute.constant()) {
    if (kept > 0 && ShareOf(kept - all.same, kept) > tolerated) {
      return StrCat(attribute.name(), " is another on ", kept - all.same,
                    " of ", Counted(kept, "page"));
    }
  } else if (2 * all.alike < kept) {
    return StrCat(attribute.name(), " looks different on ", kept - all.alike,
                  " of ", Counted(kept, "page"));
  } else if (!is_certain && 2 * all.same < kept) {
    return StrCat(attribute.name(), " is the same on ", all.same, " of ",
                  Counted(kept, "page"),
                  " only, and no shingle test vouches for it");
  }
  return "";
}

bool IsCertain(HowMatched how) { return how != HowMatched::kFieldTest; }

}  // namespace

bool IsPlaceholder(std::string_view value) {
  const std::string text = absl::AsciiStrToLower(ToAbsl(value));
  const bool has_letter_or_digit =
      record::LayoutOf(text).find_first_of("a9") != std::string::npos;
  return !has_letter_or_digit || text == "n/a" || text == "na" ||
         text == "none" || text == "unknown" || text == "tba" || text == "tbd";
}

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> parts =
      absl::StrSplit(ToAbsl(text), absl::ByAnyChar(",;|/"));
  for (std::string& part : parts) part = NormalizeSpace(part);
  std::erase(parts, "");
  return parts;
}

Record ComparableRecord(const proto::Schema& schema, const Record& record) {
  Record comparable(schema);
  for (int i = 0; i < schema.attribute_size(); ++i) {
    for (const std::string& value : record.values(i)) {
      const std::string text = NormalizeSpace(value);
      if (!schema.attribute(i).mandatory() && IsPlaceholder(text)) continue;
      comparable.attributes[static_cast<size_t>(i)].values.push_back(text);
    }
  }
  return comparable;
}

Record CutLists(const proto::Schema& schema, Record record) {
  record.attributes.resize(static_cast<size_t>(schema.attribute_size()));
  for (size_t i = 0; i < record.attributes.size(); ++i) {
    if (!schema.attribute(static_cast<int>(i)).repeated()) continue;
    std::vector<std::string> parts;
    for (const std::string& value : record.attributes[i].values) {
      for (std::string& part : SplitList(value)) {
        parts.push_back(std::move(part));
      }
    }
    record.attributes[i].values = std::move(parts);
  }
  return record;
}

record::FieldResult FieldCounts::AddPair(const proto::Schema& schema,
                                         const Record& golden,
                                         const Record& fresh) {
  ++records;
  Record before = ComparableRecord(schema, golden);
  Record now = ComparableRecord(schema, fresh);
  RestoreNewPlaceholders(golden, fresh, &now);
  const Record cut = CutLists(schema, before);
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const proto::Attribute& attribute = schema.attribute(i);
    std::vector<std::string>& was =
        before.attributes[static_cast<size_t>(i)].values;
    std::vector<std::string>& is =
        now.attributes[static_cast<size_t>(i)].values;
    if (NormalizedValues(cut.values(i)) == NormalizedValues(is)) {
      was = cut.values(i);
    }
    const bool is_weak = !attribute.mandatory() && !golden.values(i).empty() &&
                         golden.attributes[static_cast<size_t>(i)].is_weak;
    (is_weak ? weak_attributes : attributes)[attribute.name()].Add(was, is);
    if (!is_weak) continue;
    was.clear();
    is.clear();
  }
  // What is left of a record may be nothing, which is fine.
  if (!record::CheckComplete(schema, before).IsRecord() &&
      record::CheckComplete(schema, fresh).IsRecord()) {
    return record::FieldResult::kPass;
  }
  return record::CompareRecord(schema, before, now).result;
}

bool FieldCounts::AddShared(const proto::Schema& schema,
                            const std::vector<Record>& golden,
                            const std::vector<Record>& fresh) {
  ++shared;
  const std::vector<Record> before = record::CompleteRecords(schema, golden);
  if (before.empty()) {
    ++(record::HasRecord(schema, fresh) ? appeared : silent);
    return false;
  }
  const std::vector<const Record*> now =
      record::CounterpartsOf(schema, before, fresh);
  record::FieldResult result = record::FieldResult::kPass;
  for (size_t i = 0; i < before.size(); ++i) {
    result = std::max(result, AddPair(schema, before[i], *now[i]));
  }
  ++(result == record::FieldResult::kPass   ? passed
     : result == record::FieldResult::kNull ? null
                                            : wrong);
  return result == record::FieldResult::kPass;
}

void FieldCounts::AddUnshared(const proto::Schema& schema,
                              const std::vector<Record>& fresh) {
  ++unshared;
  unshared_complete += record::HasRecord(schema, fresh) ? 1 : 0;
}

bool FieldCounts::IsAsBefore() const {
  const auto is_same = [](const std::map<std::string, AttributeCounts>& all) {
    return std::all_of(all.begin(), all.end(), [](const auto& entry) {
      return entry.second.gained == 0 && entry.second.same == entry.second.had;
    });
  };
  return null + wrong + appeared == 0 && is_same(attributes) &&
         is_same(weak_attributes);
}

double FieldCounts::PassShare() const {
  return ShareOf(passed, tested() + appeared);
}

void FieldCounts::VisitEvents(
    const std::function<void(const std::string& event, int64_t count)>& visit)
    const {
  for (const auto& named : kCounts) {
    if (this->*named.count != 0) visit(named.name, this->*named.count);
  }
  const auto visit_all = [&](const std::map<std::string, AttributeCounts>& all,
                             std::string_view prefix) {
    for (const auto& [name, attribute] : all) {
      for (const auto& named : kAttributeCounts) {
        const int64_t count = attribute.*named.count;
        if (count != 0) visit(StrCat(prefix, named.name, ".", name), count);
      }
    }
  };
  visit_all(attributes, "");
  visit_all(weak_attributes, kWeak);
}

bool FieldCounts::AddEvent(std::string_view event, int64_t count) {
  for (const auto& named : kCounts) {
    if (event != named.name) continue;
    this->*named.count += count;
    return true;
  }
  const size_t dot = event.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string name(event.substr(dot + 1));
  std::string_view what = event.substr(0, dot);
  const bool is_weak = what.substr(0, kWeak.size()) == kWeak;
  if (is_weak) what.remove_prefix(kWeak.size());
  for (const auto& named : kAttributeCounts) {
    if (what != named.name) continue;
    (is_weak ? weak_attributes : attributes)[name].*named.count += count;
    return true;
  }
  return false;
}

bool IsBroken(const proto::Attribute& attribute, const FieldCounts& counts,
              bool is_certain, const FieldThresholds& thresholds) {
  return !Complaint(attribute, counts, is_certain, thresholds).empty();
}

FieldVerdict JudgeFields(const proto::Schema& schema, const FieldCounts& counts,
                         HowMatched how, const FieldThresholds& thresholds) {
  FieldVerdict verdict;
  std::string complaints;
  for (const proto::Attribute& attribute : schema.attribute()) {
    const std::string complaint =
        Complaint(attribute, counts, IsCertain(how), thresholds);
    if (complaint.empty()) continue;
    StrAppend(&complaints, complaints.empty() ? "" : "; ", complaint);
  }
  const double complete = ShareOf(counts.unshared_complete, counts.unshared);
  const bool others_must_be_complete =
      counts.tested() < thresholds.few_pages && counts.unshared > 0;
  if (counts.shared == 0) {
    if (counts.unshared == 0) {
      verdict.reason = "no page of the cluster can be looked at";
    } else if (!IsCertain(how)) {
      verdict.reason = "no URL was crawled before";
    } else {
      verdict.passes = complete >= thresholds.min_pass;
      verdict.reason = absl::StrFormat(
          "no URL was crawled before; %d of %s %s a record",
          counts.unshared_complete, Counted(counts.unshared, "page"),
          counts.unshared == 1 ? "gives" : "give");
    }
    return verdict;
  }
  const std::string figures = absl::StrFormat(
      "%d of %s pass (%d null, %d wrong, %d without a record before)",
      counts.passed, Counted(counts.tested() + counts.appeared, "page"),
      counts.null, counts.wrong, counts.appeared);
  if (counts.tested() == 0) {
    verdict.reason = StrCat("none of the ", Counted(counts.shared, "page"),
                            " that were crawled before had a record");
  } else if (2 * counts.tested() < counts.shared) {
    verdict.reason =
        StrCat("only ", counts.tested(), " of ", Counted(counts.shared, "page"),
               " that were crawled before had a record");
  } else if (counts.PassShare() < thresholds.min_pass || !complaints.empty()) {
    verdict.reason =
        StrCat(figures, complaints.empty() ? "" : "; ", complaints);
  } else if (others_must_be_complete && complete < thresholds.min_pass) {
    verdict.reason = StrCat(figures, "; that is few, and of the others ",
                            counts.unshared_complete, " of ", counts.unshared,
                            " give a record");
  } else {
    verdict.passes = true;
    verdict.reason = figures;
  }
  return verdict;
}

}  // namespace trommel::reuse

#include "core/learn/validity.h"

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/annotation/page_text.h"
#include "core/base/share.h"
#include "core/record/alignment.h"
#include "core/record/record.h"
#include "core/schema/schema.h"

// Validity (III-C of the Vertex paper).
//
// A rule is valid if it has precision 1 and recall above 0.85 on sample pages
// that it was not learnt from. The truth of these is not known here, so in its
// place stands whether all that have a say on an attribute agree
// (PageExtractor::Opinions()), which next_page.cc counts: precision is the
// share of extracted attributes without a contradiction, recall the share of
// attributes that should come out and do. In addition to the paper, a rule must
// give back all that it was learnt from, every value and no others; where the
// whole sample is annotated, that decides alone.
//
// Records. On a page whose annotations tell records apart, the annotated
// records are aligned with those that come out (core/record/alignment.h): the
// editor's numbers say their order and need not be without gaps, and one record
// that the rule misses must not make all that follow wrong. Each annotated
// record is then compared with its partner. A record that comes out without a
// partner is wrong on a page that is complete, and unknown on others.
//
// White space does not count: the editor copies what a browser shows. Links do
// not count either: the editor gives them as the page has them, the rule makes
// them absolute.

namespace trommel::learn {
namespace {

using Kind = annotation::Annotation::Kind;

// What is known of one record of a page, or of all of its records together.
struct KnownRecord {
  record::Record record;       // values without white space
  std::vector<bool> is_known;  // by attribute: has values, or has none

  explicit KnownRecord(const proto::Schema& schema)
      : record(schema), is_known(record.attributes.size()) {}

  void Add(size_t attribute, const annotation::Annotation& annotation) {
    if (annotation.kind == Kind::kValue) {
      record.attributes[attribute].values.push_back(
          annotation::WithoutSpace(annotation.value));
    }
    is_known[attribute] = true;
  }
};

// What is known of a page.
struct KnownPage {
  std::map<std::optional<int64_t>, KnownRecord> records;  // by their numbers
  bool is_complete = false;

  // Whether records are told apart; else there is at most one, which has what
  // the page has.
  bool HasRecords() const {
    return is_complete ||
           (!records.empty() && records.rbegin()->first.has_value());
  }
};

class Comparison {
 public:
  explicit Comparison(const proto::Schema& schema) : schema_(schema) {}

  KnownPage Collect(
      const std::vector<const annotation::Annotation*>& annotations) const {
    KnownPage page;
    for (const annotation::Annotation* const annotation : annotations) {
      page.is_complete |= annotation->kind == Kind::kComplete;
      if (annotation->kind == Kind::kNegative) continue;
      for (int i = 0; i < schema_.attribute_size(); ++i) {
        if (schema_.attribute(i).name() != annotation->attribute) continue;
        KnownRecord& record =
            page.records.try_emplace(annotation->record, schema_).first->second;
        if (!schema::IsLink(schema_.attribute(i))) {
          record.Add(static_cast<size_t>(i), *annotation);
        }
      }
    }
    ShareAmongRecords(&page);
    return page;
  }

  // Compares what a page gives.
  void Compare(const KnownPage& page, std::vector<record::Record> found) {
    ++counts_.pages;
    std::vector<bool> is_record;
    for (record::Record& record : found) {
      is_record.push_back(record::CheckComplete(schema_, record).IsRecord());
      RemoveSpace(&record);
    }
    if (!page.HasRecords()) {
      if (page.records.empty()) return;
      CompareRecord(page.records.begin()->second, Together(found));
      return;
    }
    std::vector<const KnownRecord*> known;
    std::vector<record::Record> wanted;
    for (const auto& [number, record] : page.records) {
      known.push_back(&record);
      wanted.push_back(record.record);
    }
    static const record::Record kNoRecord;
    std::vector<const record::Record*> partners(known.size(), &kNoRecord);
    std::vector<bool> has_partner(found.size());
    for (const auto& [a, b] : record::AlignRecords(schema_, wanted, found)) {
      partners[a] = &found[b];
      has_partner[b] = true;
    }
    for (size_t i = 0; i < known.size(); ++i) {
      CompareRecord(*known[i], *partners[i]);
    }
    if (!page.is_complete) return;
    // Records that the page does not have; incomplete ones do no harm.
    for (size_t i = 0; i < found.size(); ++i) {
      if (has_partner[i] || !is_record[i]) continue;
      for (const record::AttributeValues& attribute : found[i].attributes) {
        counts_.extracted += attribute.values.empty() ? 0 : 1;
      }
    }
  }

  const ExtractionCounts& counts() const { return counts_; }

 private:
  // What is said of the page as a whole is said of each of its records where it
  // has any: that it does not have an attribute, or the one value of all.
  static void ShareAmongRecords(KnownPage* page) {
    const auto whole = page->records.find(std::nullopt);
    if (whole == page->records.end() || page->records.size() == 1) return;
    for (auto& [number, known] : page->records) {
      if (!number.has_value()) continue;
      for (size_t i = 0; i < known.is_known.size(); ++i) {
        if (known.is_known[i] || !whole->second.is_known[i]) continue;
        known.is_known[i] = true;
        known.record.attributes[i] = whole->second.record.attributes[i];
      }
    }
    page->records.erase(whole);
  }

  // Links are left out: the alignment does not go by them either.
  void RemoveSpace(record::Record* record) const {
    record->attributes.resize(static_cast<size_t>(schema_.attribute_size()));
    for (int i = 0; i < schema_.attribute_size(); ++i) {
      auto& values = record->attributes[static_cast<size_t>(i)].values;
      if (schema::IsLink(schema_.attribute(i))) values.clear();
      for (std::string& value : values) value = annotation::WithoutSpace(value);
    }
  }

  record::Record Together(const std::vector<record::Record>& records) const {
    record::Record all(schema_);
    for (int i = 0; i < schema_.attribute_size(); ++i) {
      all.attributes[static_cast<size_t>(i)].values =
          record::AllValues(records, i);
    }
    return all;
  }

  void CompareRecord(const KnownRecord& known, const record::Record& record) {
    for (int i = 0; i < schema_.attribute_size(); ++i) {
      if (!known.is_known[static_cast<size_t>(i)]) continue;
      const std::vector<std::string>& values = known.record.values(i);
      const std::set<std::string> wanted(values.begin(), values.end());
      const std::set<std::string> found(record.values(i).begin(),
                                        record.values(i).end());
      const bool is_right =
          schema_.attribute(i).repeated()
              ? found == wanted
              : !found.empty() && wanted.count(*found.begin()) > 0;
      counts_.expected += wanted.empty() ? 0 : 1;
      counts_.extracted += found.empty() ? 0 : 1;
      counts_.came_out += is_right && !wanted.empty() ? 1 : 0;
      counts_.agreed += is_right && !found.empty() ? 1 : 0;
    }
  }

  const proto::Schema& schema_;
  ExtractionCounts counts_;
};

double ShareOrAll(int64_t part, int64_t whole) {
  return whole == 0 ? 1.0 : ShareOf(part, whole);
}

}  // namespace

ExtractionCounts CompareWithAnnotations(
    const rule::PageExtractor& extractor, const std::vector<LearnPage>& pages,
    const std::vector<annotation::Annotation>& annotations) {
  std::map<std::string_view, std::vector<const annotation::Annotation*>> by_url;
  for (const annotation::Annotation& annotation : annotations) {
    by_url[annotation.url].push_back(&annotation);
  }
  Comparison comparison(extractor.schema());
  for (const LearnPage& page : pages) {
    const auto annotated = by_url.find(page.url);
    if (annotated == by_url.end()) continue;
    comparison.Compare(comparison.Collect(annotated->second),
                       extractor.Extract(page.document, page.url));
  }
  return comparison.counts();
}

proto::Validity JudgeValidity(const ExtractionCounts& known,
                              const ExtractionCounts& others) {
  // Where there is nothing else to go by, the annotated pages are.
  const bool truth_known = others.pages == 0;
  const ExtractionCounts& judged = truth_known ? known : others;
  proto::Validity validity;
  validity.set_pages(judged.pages);
  validity.set_precision(ShareOrAll(judged.agreed, judged.extracted));
  validity.set_recall(ShareOrAll(judged.came_out, judged.expected));
  validity.set_truth_known(truth_known);
  validity.set_valid(
      validity.precision() == 1 && validity.recall() > kLeastRecall &&
      known.agreed == known.extracted && known.came_out == known.expected);
  return validity;
}

}  // namespace trommel::learn

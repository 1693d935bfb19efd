#ifndef TROMMEL_CORE_EVAL_SCORE_H_
#define TROMMEL_CORE_EVAL_SCORE_H_

// How good records are: extracted values compared with true ones.
//
// The extracted records of a page are aligned with the true ones; the unit is
// such a pair, or a record that has none. Almost always a page has one record,
// so the unit is called a page here. For an attribute a page has a set of true
// values and a set of extracted ones, either of which may be empty. Values are
// compared with white space normalised; empty ones do not count, and a record
// without a value is none.
//
//   strict     a page is right when the extracted set is the true set; where
//              the attribute is not repeated, when one value was extracted and
//              it is among the true ones (which then are the same thing said in
//              several places)
//   page hit   a page is right when any of the extracted values is true
//   value      values are counted rather than pages: an extracted value is
//              right when it is among the page's true ones
//
// Precision is right / pages with an extraction, recall right / pages with a
// true value (for values: right / extracted values, right / true values), F1
// their harmonic mean. So a value extracted where there is none costs
// precision, a wrong one both, and a page with neither counts nowhere.
//
// The figure of a site is the mean over its attributes that occur: that have a
// true value on some scored page of the site. The overall figure is the mean
// over sites that have such an attribute. Where nothing was extracted there is
// no precision; means of precision leave it out, and F1 and recall are 0.
//
// Two more figures look at records rather than attributes. In both an attribute
// is right as it is for strict, and all records of a site count the same,
// whatever page they are on:
//
//   whole      a record is right when all its attributes are: all that is true
//              was extracted, and nothing else
//   share      the metric of "Efficient Record-Level Wrapper Induction",
//              section 6.1.2: an extracted record counts by the share of its
//              attributes that are right, which gives precision; a true record
//              by the share of its attributes that were extracted right, which
//              gives recall; records without a counterpart count 0

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/eval/record_match.h"
#include "core/record/record.h"
#include "proto/schema.pb.h"

namespace trommel::eval {

// The three ways to look at it.
struct AttributeScore {
  Tally strict;
  Tally page_hit;
  Tally value;

  bool occurs() const { return strict.is_true > 0; }
  void Add(const ValueSet& extracted, const ValueSet& is_true,
           bool is_repeated);
};

// Means over attributes or sites.
struct MeanFigure {
  double f1 = 0;
  std::optional<double> precision;
  double recall = 0;
};
struct MeanScore {
  int64_t count = 0;  // attributes, or sites
  MeanFigure strict;
  MeanFigure page_hit;
  MeanFigure value;
};

// Whole records: how many are right, and how much of them.
struct RecordScore {
  Tally whole;
  // Over all records; Share() divides them by the number of records.
  double precision_sum = 0;
  double recall_sum = 0;

  // Two records that are one, or one that has no counterpart.
  void Add(const Tally& match);
  MeanFigure Share() const;
};
struct MeanRecordScore {
  MeanFigure whole;
  MeanFigure share;
};

struct SiteScore {
  // By attribute; those that do not occur too.
  std::map<std::string, AttributeScore> attributes;
  RecordScore records;

  // One record, extracted and true; either may be without any value.
  void Add(const proto::Schema& schema, const RecordValues& extracted,
           const RecordValues& is_true);
};

class Scores {
 public:
  // A page of a site: its extracted and its true records, each in document
  // order.
  void AddPage(const std::string& site, const proto::Schema& schema,
               const std::vector<record::Record>& extracted,
               const std::vector<record::Record>& is_true);

  // By site.
  const std::map<std::string, SiteScore>& sites() const { return sites_; }
  // Whether a page had more than one record, extracted or true.
  bool has_several_records() const { return has_several_records_; }

  // Over the attributes of the site that occur.
  MeanScore OfSite(const std::string& site) const;
  // Over the sites in which the attribute occurs.
  MeanScore OfAttribute(const std::string& attribute) const;
  // Over the sites in which any does.
  MeanScore Overall() const;
  MeanRecordScore OverallRecords() const;

 private:
  std::map<std::string, SiteScore> sites_;
  bool has_several_records_ = false;
};

}  // namespace trommel::eval

#endif  // TROMMEL_CORE_EVAL_SCORE_H_

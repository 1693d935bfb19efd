#ifndef TROMMEL_CORE_EVAL_SCORE_H_
#define TROMMEL_CORE_EVAL_SCORE_H_

// How good records are: extracted values compared with true ones.
//
// The unit is a record of a page; almost always a page has one, so it is called
// a page here. For an attribute a page has a set of true values and a set of
// extracted ones, either of which may be empty. Values are compared with white
// space normalised; empty ones do not count.
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

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/value_set.h"

namespace trommel {

using record::ValueSet;

struct Tally {
  int64_t right = 0;
  int64_t extracted = 0;
  int64_t is_true = 0;

  // None when nothing was extracted, or nothing is true.
  std::optional<double> Precision() const;
  std::optional<double> Recall() const;
  // 0 where one of them is missing, or both are 0.
  double F1() const;
};

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

class Scores {
 public:
  // One attribute of one page.
  void Add(const std::string& site, const std::string& attribute,
           const ValueSet& extracted, const ValueSet& is_true,
           bool is_repeated) {
    sites_[site][attribute].Add(extracted, is_true, is_repeated);
  }

  // By site, then attribute; those that do not occur too.
  using SiteScores = std::map<std::string, AttributeScore>;
  const std::map<std::string, SiteScores>& sites() const { return sites_; }

  // Over the attributes of the site that occur.
  MeanScore OfSite(const std::string& site) const;
  // Over the sites in which the attribute occurs.
  MeanScore OfAttribute(const std::string& attribute) const;
  // Over the sites in which any does.
  MeanScore Overall() const;

 private:
  std::map<std::string, SiteScores> sites_;
};

}  // namespace trommel

#endif  // TROMMEL_CORE_EVAL_SCORE_H_

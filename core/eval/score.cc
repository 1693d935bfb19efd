#include "core/eval/score.h"

#include <algorithm>

namespace trommel {
namespace {

double Ratio(int64_t part, int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

MeanFigure FigureOf(const Tally& tally) {
  return {tally.F1(), tally.Precision(), tally.Recall().value_or(0)};
}

// Adds figures up, and then divides.
class Mean {
 public:
  void Add(const MeanFigure& figure) {
    ++count_;
    sum_.f1 += figure.f1;
    sum_.recall += figure.recall;
    if (!figure.precision.has_value()) return;
    ++num_precise_;
    precision_ += *figure.precision;
  }
  MeanFigure Get() const {
    MeanFigure mean;
    if (count_ > 0) {
      mean.f1 = sum_.f1 / static_cast<double>(count_);
      mean.recall = sum_.recall / static_cast<double>(count_);
    }
    if (num_precise_ > 0) {
      mean.precision = precision_ / static_cast<double>(num_precise_);
    }
    return mean;
  }

 private:
  MeanFigure sum_;
  double precision_ = 0;
  int64_t count_ = 0;
  int64_t num_precise_ = 0;
};

class MeanOfScores {
 public:
  void Add(const AttributeScore& score) {
    ++count_;
    strict_.Add(FigureOf(score.strict));
    page_hit_.Add(FigureOf(score.page_hit));
    value_.Add(FigureOf(score.value));
  }
  void Add(const MeanScore& score) {
    ++count_;
    strict_.Add(score.strict);
    page_hit_.Add(score.page_hit);
    value_.Add(score.value);
  }
  MeanScore Get() const {
    return {count_, strict_.Get(), page_hit_.Get(), value_.Get()};
  }

 private:
  int64_t count_ = 0;
  Mean strict_, page_hit_, value_;
};

}  // namespace

std::optional<double> Tally::Precision() const {
  if (extracted == 0) return std::nullopt;
  return Ratio(right, extracted);
}

std::optional<double> Tally::Recall() const {
  if (is_true == 0) return std::nullopt;
  return Ratio(right, is_true);
}

double Tally::F1() const {
  // 2PR / (P + R), with P and R written out.
  if (right == 0) return 0;
  return Ratio(2 * right, extracted + is_true);
}

void AttributeScore::Add(const ValueSet& extracted, const ValueSet& is_true,
                         bool is_repeated) {
  const int64_t num_right = std::count_if(
      extracted.begin(), extracted.end(),
      [&](const std::string& value) { return is_true.count(value) > 0; });
  const int64_t has_extracted = extracted.empty() ? 0 : 1;
  const int64_t has_true = is_true.empty() ? 0 : 1;
  const bool is_right = num_right > 0 && (is_repeated ? extracted == is_true
                                                      : extracted.size() == 1);
  strict.right += is_right ? 1 : 0;
  strict.extracted += has_extracted;
  strict.is_true += has_true;
  page_hit.right += num_right > 0 ? 1 : 0;
  page_hit.extracted += has_extracted;
  page_hit.is_true += has_true;
  value.right += num_right;
  value.extracted += static_cast<int64_t>(extracted.size());
  value.is_true += static_cast<int64_t>(is_true.size());
}

MeanScore Scores::OfSite(const std::string& site) const {
  MeanOfScores mean;
  const auto found = sites_.find(site);
  if (found == sites_.end()) return mean.Get();
  for (const auto& [attribute, score] : found->second) {
    if (score.occurs()) mean.Add(score);
  }
  return mean.Get();
}

MeanScore Scores::OfAttribute(const std::string& attribute) const {
  MeanOfScores mean;
  for (const auto& [site, attributes] : sites_) {
    const auto found = attributes.find(attribute);
    if (found != attributes.end() && found->second.occurs()) {
      mean.Add(found->second);
    }
  }
  return mean.Get();
}

MeanScore Scores::Overall() const {
  MeanOfScores mean;
  for (const auto& [site, attributes] : sites_) {
    const MeanScore of_site = OfSite(site);
    if (of_site.count > 0) mean.Add(of_site);
  }
  return mean.Get();
}

}  // namespace trommel

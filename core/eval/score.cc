#include "core/eval/score.h"

#include <algorithm>

namespace trommel::eval {
namespace {

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
    Add(MeanScore{1, FigureOf(score.strict), FigureOf(score.page_hit),
                  FigureOf(score.value)});
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

void AttributeScore::Add(const ValueSet& extracted, const ValueSet& is_true,
                         bool is_repeated) {
  const int64_t num_right = std::count_if(
      extracted.begin(), extracted.end(),
      [&](const std::string& value) { return is_true.count(value) > 0; });
  const int64_t has_extracted = extracted.empty() ? 0 : 1;
  const int64_t has_true = is_true.empty() ? 0 : 1;
  strict.right += IsRight(extracted, is_true, is_repeated) ? 1 : 0;
  strict.extracted += has_extracted;
  strict.is_true += has_true;
  page_hit.right += num_right > 0 ? 1 : 0;
  page_hit.extracted += has_extracted;
  page_hit.is_true += has_true;
  value.right += num_right;
  value.extracted += static_cast<int64_t>(extracted.size());
  value.is_true += static_cast<int64_t>(is_true.size());
}

void RecordScore::Add(const Tally& match) {
  whole.right += match.IsRight() ? 1 : 0;
  whole.extracted += match.extracted > 0 ? 1 : 0;
  whole.is_true += match.is_true > 0 ? 1 : 0;
  precision_sum += match.Precision().value_or(0);
  recall_sum += match.Recall().value_or(0);
}

MeanFigure RecordScore::Share() const {
  MeanFigure figure;
  if (whole.extracted > 0) {
    figure.precision = precision_sum / static_cast<double>(whole.extracted);
  }
  if (whole.is_true > 0) {
    figure.recall = recall_sum / static_cast<double>(whole.is_true);
  }
  const double precision = figure.precision.value_or(0);
  if (precision + figure.recall > 0) {
    figure.f1 = 2 * precision * figure.recall / (precision + figure.recall);
  }
  return figure;
}

void SiteScore::Add(const proto::Schema& schema, const RecordValues& extracted,
                    const RecordValues& is_true) {
  records.Add(MatchRecords(schema, extracted, is_true));
  for (size_t i = 0; i < extracted.size(); ++i) {
    if (extracted[i].empty() && is_true[i].empty()) continue;
    const proto::Attribute& attribute = schema.attribute(static_cast<int>(i));
    attributes[attribute.name()].Add(extracted[i], is_true[i],
                                     attribute.repeated());
  }
}

void Scores::AddPage(const std::string& site, const proto::Schema& schema,
                     const std::vector<record::Record>& extracted,
                     const std::vector<record::Record>& is_true) {
  const std::vector<RecordValues> found =
      RecordsToCompare(schema, extracted).values;
  const std::vector<RecordValues> truth =
      RecordsToCompare(schema, is_true).values;
  if (found.empty() && truth.empty()) return;
  if (found.size() > 1 || truth.size() > 1) has_several_records_ = true;
  SiteScore& score = sites_[site];
  const RecordValues nothing(static_cast<size_t>(schema.attribute_size()));
  // Records between two pairs have no counterpart, nor do those at the end.
  size_t f = 0;
  size_t t = 0;
  const auto add_unpaired = [&](size_t f_end, size_t t_end) {
    for (; f < f_end; ++f) score.Add(schema, found[f], nothing);
    for (; t < t_end; ++t) score.Add(schema, nothing, truth[t]);
  };
  for (const auto& [paired_f, paired_t] :
       AlignWithTruth(schema, found, truth)) {
    add_unpaired(paired_f, paired_t);
    score.Add(schema, found[f++], truth[t++]);
  }
  add_unpaired(found.size(), truth.size());
}

MeanScore Scores::OfSite(const std::string& site) const {
  MeanOfScores mean;
  const auto found = sites_.find(site);
  if (found == sites_.end()) return mean.Get();
  for (const auto& [attribute, score] : found->second.attributes) {
    if (score.occurs()) mean.Add(score);
  }
  return mean.Get();
}

MeanScore Scores::OfAttribute(const std::string& attribute) const {
  MeanOfScores mean;
  for (const auto& [site, score] : sites_) {
    const auto found = score.attributes.find(attribute);
    if (found != score.attributes.end() && found->second.occurs()) {
      mean.Add(found->second);
    }
  }
  return mean.Get();
}

MeanScore Scores::Overall() const {
  MeanOfScores mean;
  for (const auto& [site, score] : sites_) {
    const MeanScore site_mean = OfSite(site);
    if (site_mean.count > 0) mean.Add(site_mean);
  }
  return mean.Get();
}

MeanRecordScore Scores::OverallRecords() const {
  Mean whole, share;
  for (const auto& [site, score] : sites_) {
    // A site has a true record if and only if an attribute occurs.
    if (score.records.whole.is_true == 0) continue;
    whole.Add(FigureOf(score.records.whole));
    share.Add(score.records.Share());
  }
  return {whole.Get(), share.Get()};
}

}  // namespace trommel::eval

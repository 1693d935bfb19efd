#include "core/eval/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/share.h"
#include "core/eval/record_match.h"

// A forecaster is calibrated if, of all the days for which he says "rain, seven
// in ten", it rains on seven in ten. The reliability diagram of DeGroot and
// Fienberg ("The Comparison and Evaluation of Forecasters", The Statistician
// 32, 1983) sorts statements by what they state into bins, here ten of equal
// width, and sets the mean of what is stated in a bin against the share of it
// that turns out right. The expected calibration error of Naeini, Cooper and
// Hauskrecht ("Obtaining Well Calibrated Probabilities Using Bayesian Binning",
// AAAI 2015) is the mean distance between the two, weighted by the number of
// statements in each bin:
//
//   ECE = sum over bins of n / N * |stated - found|
//
// Both are sums over statements, so what several runs found can be added up bin
// by bin.
//
// Two kinds of statement are judged. A value's, which is all that was extracted
// for one attribute of one record, is right by the same test as the strict
// figures (IsRight() in record_match.h). A record's is that all of its values
// are right: a value that is missing does not make it wrong, since confidence
// speaks of what is there, as precision does. Values and records that were not
// extracted state nothing; recall sees them.
//
// Records of a page are aligned with the true ones as they are for the other
// figures. The values of one that has no counterpart are wrong: the page has no
// such record. Attributes of which the truth says nothing on any page are no
// evidence, and neither is a record that has no others.
//
// Takes the time of the alignment.

namespace trommel::eval {
namespace {

// The last of the bins that begins at or below a confidence. Bins begin at the
// numbers that 0.1, 0.2, ... are read as, so that a stated 0.3 is in [0.3, 0.4)
// and what is just below it is not, however 10 * 0.3 is rounded.
size_t BinOf(double stated,
             const std::array<ReliabilityBin, Reliability::kBins>& bins) {
  size_t bin = bins.size() - 1;
  while (bin > 0 && stated < bins[bin].from) --bin;
  return bin;
}

}  // namespace

void ReliabilityBin::Add(double stated, bool is_right) {
  ++count;
  right += is_right ? 1 : 0;
  stated_sum += stated;
}

std::optional<double> ReliabilityBin::Stated() const {
  if (count == 0) return std::nullopt;
  return stated_sum / static_cast<double>(count);
}

std::optional<double> ReliabilityBin::Found() const {
  if (count == 0) return std::nullopt;
  return ShareOf(right, count);
}

Reliability::Reliability() {
  for (int i = 0; i < kBins; ++i) {
    ReliabilityBin& bin = bins_[static_cast<size_t>(i)];
    bin.from = static_cast<double>(i) / kBins;
    bin.to = static_cast<double>(i + 1) / kBins;
  }
  certain_.from = kCertain;
}

void Reliability::Add(double stated, bool is_right) {
  stated = stated > 0 ? std::min(stated, 1.0) : 0;  // 0 too if it is no number
  ++count_;
  bins_[BinOf(stated, bins_)].Add(stated, is_right);
  if (stated >= kCertain) certain_.Add(stated, is_right);
}

std::optional<double> Reliability::ExpectedError() const {
  if (count_ == 0) return std::nullopt;
  double sum = 0;
  for (const ReliabilityBin& bin : bins_) {
    sum += std::abs(bin.stated_sum - static_cast<double>(bin.right));
  }
  return sum / static_cast<double>(count_);
}

void Calibration::AddPage(const proto::Schema& schema,
                          const std::vector<StatedRecord>& extracted,
                          const std::vector<record::Record>& is_true) {
  std::vector<record::Record> records;
  records.reserve(extracted.size());
  for (const StatedRecord& stated : extracted) records.push_back(stated.record);
  const ComparedRecords found = RecordsToCompare(schema, records);
  const ComparedRecords truth = RecordsToCompare(schema, is_true);

  const RecordValues nothing(static_cast<size_t>(schema.attribute_size()));
  std::vector<const RecordValues*> counterparts(found.values.size(), &nothing);
  for (const auto& [f, t] :
       AlignWithTruth(schema, found.values, truth.values)) {
    counterparts[f] = &truth.values[t];
  }
  for (size_t f = 0; f < found.values.size(); ++f) {
    const StatedRecord& stated = extracted[found.places[f]];
    bool has_known_value = false;
    bool is_record_right = true;
    for (size_t i = 0; i < found.values[f].size(); ++i) {
      if (!is_known_[i] || found.values[f][i].empty()) continue;
      const bool is_right =
          IsRight(found.values[f][i], (*counterparts[f])[i],
                  schema.attribute(static_cast<int>(i)).repeated());
      values_.Add(stated.record.attributes[i].confidence, is_right);
      has_known_value = true;
      is_record_right = is_record_right && is_right;
    }
    if (has_known_value) records_.Add(stated.confidence, is_record_right);
  }
}

}  // namespace trommel::eval

#ifndef TROMMEL_CORE_EVAL_CALIBRATION_H_
#define TROMMEL_CORE_EVAL_CALIBRATION_H_

// Whether confidence can be believed: of the values that are stated to be right
// with a probability of 0.8, is it four in five that are?
//
//   Calibration calibration(is_known);
//   for (...) calibration.AddPage(schema, extracted, is_true);
//   calibration.values().ExpectedError();
//   calibration.records().certain().Found();

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/record/record.h"
#include "proto/schema.pb.h"

namespace trommel::eval {

// Statements of some range of confidence, and what is found.
struct ReliabilityBin {
  double from = 0;
  double to = 1;
  int64_t count = 0;
  int64_t right = 0;
  double stated_sum = 0;

  void Add(double stated, bool is_right);
  // The mean confidence, and the share that is right; none without any.
  std::optional<double> Stated() const;
  std::optional<double> Found() const;
};

// Statements by their confidence.
class Reliability {
 public:
  static constexpr int kBins = 10;
  static constexpr double kCertain = 0.99;

  Reliability();

  // A confidence that is no number from 0 to 1 is taken for the nearest one, or
  // for 0.
  void Add(double stated, bool is_right);

  int64_t count() const { return count_; }
  // [0, 0.1), [0.1, 0.2), ... [0.9, 1].
  const std::array<ReliabilityBin, kBins>& bins() const { return bins_; }
  // From kCertain on; these are in the last of the bins as well.
  const ReliabilityBin& certain() const { return certain_; }
  // How far what is stated is from what is found; none without statements.
  std::optional<double> ExpectedError() const;

 private:
  std::array<ReliabilityBin, kBins> bins_;
  ReliabilityBin certain_;
  int64_t count_ = 0;
};

// An extracted record, and the confidence that is stated of it as a whole; that
// of its attributes is in the record.
struct StatedRecord {
  record::Record record;
  double confidence = 0;
};

class Calibration {
 public:
  // `is_known` says of each attribute of the schema, by place, whether the
  // truth tells of it. The others are left out.
  explicit Calibration(std::vector<bool> is_known)
      : is_known_(std::move(is_known)) {}

  // A page's extracted and true records, each in document order.
  void AddPage(const proto::Schema& schema,
               const std::vector<StatedRecord>& extracted,
               const std::vector<record::Record>& is_true);

  // Statements about the values of an attribute of a record, and about records.
  const Reliability& values() const { return values_; }
  const Reliability& records() const { return records_; }

 private:
  std::vector<bool> is_known_;
  Reliability values_;
  Reliability records_;
};

}  // namespace trommel::eval

#endif  // TROMMEL_CORE_EVAL_CALIBRATION_H_

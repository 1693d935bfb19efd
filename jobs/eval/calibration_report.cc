#include "jobs/eval/calibration_report.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "jobs/cli/text_table.h"
#include "jobs/eval/cells.h"

namespace trommel::jobs::eval_job {
namespace {

nlohmann::ordered_json BinJson(const eval::ReliabilityBin& bin) {
  return {{"from", bin.from},
          {"to", bin.to},
          {"count", bin.count},
          {"right", bin.right},
          {"stated", Number(bin.Stated())},
          {"found", Number(bin.Found())}};
}

nlohmann::ordered_json ReliabilityJson(const eval::Reliability& reliability) {
  nlohmann::ordered_json json;
  json["count"] = reliability.count();
  json["bins"] = nlohmann::ordered_json::array();
  for (const eval::ReliabilityBin& bin : reliability.bins()) {
    json["bins"].push_back(BinJson(bin));
  }
  json["expected_calibration_error"] = Number(reliability.ExpectedError());
  json["certain"] = BinJson(reliability.certain());
  return json;
}

std::string ReliabilityText(std::string_view what,
                            const eval::Reliability& reliability) {
  cli::TextTable table(
      {cli::TextTable::Left("confidence"), cli::TextTable::Right("count", 9),
       cli::TextTable::Right("stated", 7), cli::TextTable::Right("found", 7)});
  for (const eval::ReliabilityBin& bin : reliability.bins()) {
    table.Add(absl::StrFormat("%.1f to %.1f", bin.from, bin.to), bin.count,
              Cell(bin.Stated()), Cell(bin.Found()));
  }
  const eval::ReliabilityBin& certain = reliability.certain();
  table.Add(StrCat(">= ", certain.from), certain.count, Cell(certain.Stated()),
            Cell(certain.Found()));
  return StrCat("calibration of ", what, ": expected error ",
                Cell(reliability.ExpectedError()), "\n", table.Text());
}

}  // namespace

void AddCalibration(const eval::Calibration& calibration, cli::Report* report) {
  (*report->json)["calibration"] = {
      {"values", ReliabilityJson(calibration.values())},
      {"records", ReliabilityJson(calibration.records())}};
  StrAppend(&report->text, ReliabilityText("values", calibration.values()),
            ReliabilityText("records", calibration.records()));
}

}  // namespace trommel::jobs::eval_job

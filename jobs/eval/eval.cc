#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/eval/calibration.h"
#include "core/eval/score.h"
#include "core/url/url.h"
#include "jobs/cli/text_table.h"
#include "jobs/eval/calibration_report.h"
#include "jobs/eval/cells.h"
#include "jobs/eval/inputs.h"
#include "jobs/registry.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::eval_job {
namespace {

constexpr size_t kSitesInText = 200;

nlohmann::ordered_json TallyJson(const eval::Tally& tally) {
  return {{"precision", Number(tally.Precision())},
          {"recall", Number(tally.Recall())},
          {"f1", tally.F1()},
          {"right", tally.right},
          {"extracted", tally.extracted},
          {"true", tally.is_true}};
}

nlohmann::ordered_json FigureJson(const eval::MeanFigure& figure) {
  return {{"precision", Number(figure.precision)},
          {"recall", figure.recall},
          {"f1", figure.f1}};
}

void AddMeans(const eval::MeanScore& mean, nlohmann::ordered_json* json) {
  (*json)["strict"] = FigureJson(mean.strict);
  (*json)["page_hit"] = FigureJson(mean.page_hit);
  (*json)["value"] = FigureJson(mean.value);
}

std::vector<record::Record> TrueRecords(const EvalPage& page) {
  std::vector<record::Record> records;
  records.reserve(page.is_true.size());
  for (const auto& [number, record] : page.is_true) records.push_back(record);
  return records;
}

std::vector<eval::StatedRecord> StatedRecords(const EvalPage& page) {
  std::vector<eval::StatedRecord> records;
  records.reserve(page.extracted.size());
  for (const auto& [number, stated] : page.extracted) records.push_back(stated);
  return records;
}

std::vector<record::Record> ExtractedRecords(const EvalPage& page) {
  std::vector<record::Record> records;
  records.reserve(page.extracted.size());
  for (const auto& [number, stated] : page.extracted) {
    records.push_back(stated.record);
  }
  return records;
}

class EvalVerb final : public cli::Verb {
 public:
  EvalVerb() : Verb("eval", kEvalHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags
        ->Text("records", &records_,
               "output of trommel extract, or its records/")
        .Input()
        .Required();
    flags->Texts("truth", &truth_files_, "true values (JSON lines)")
        .Input()
        .Required();
    flags
        ->Texts("exclude", &exclude_files_,
                "annotations, whose pages are not scored (JSON lines)")
        .Input();
    flags
        ->Text("schema", &schema_file_,
               "says which attributes are repeated (textproto); without it "
               "the records' columns do")
        .Input();
    flags->Bool("calibration", &calibration_,
                "compare the records' confidence with what is right");
  }

  absl::StatusOr<cli::Report> Run() override {
    proto::Schema schema;
    if (!schema_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(schema, textproto::ReadSchemaFile(schema_file_));
    }
    std::vector<io::Path> truth_files;
    for (const std::string& file : truth_files_) {
      TROMMEL_ASSIGN_OR_RETURN(truth_files.emplace_back(),
                               io::ResolvePath(file));
    }
    TROMMEL_ASSIGN_OR_RETURN(const io::Path records, io::ResolvePath(records_));
    TROMMEL_ASSIGN_OR_RETURN(const EvalInputs inputs,
                             ReadInputs(schema, truth_files, records,
                                        /*with_confidence=*/calibration_));
    std::set<std::string> excluded;
    for (const std::string& file : exclude_files_) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
      TROMMEL_RETURN_IF_ERROR(ReadAnnotatedUrls(path, &excluded));
    }
    cli::Report report = MakeReport(inputs, excluded);
    if (calibration_) AddCalibration(Calibrate(inputs, excluded), &report);
    return report;
  }

 private:
  struct Pages {
    int64_t scored = 0;
    int64_t excluded = 0;
    int64_t with_record = 0;  // of those scored
    std::map<std::string, int64_t> by_site;
  };

  static eval::Scores Score(const EvalInputs& inputs,
                            const std::set<std::string>& excluded,
                            Pages* pages) {
    eval::Scores scores;
    for (const auto& [url, page] : inputs.pages) {
      if (excluded.count(url) > 0) {
        ++pages->excluded;
        continue;
      }
      const std::string site =
          page.site.has_value() ? *page.site : url::SiteOf(url);
      ++pages->scored;
      ++pages->by_site[site];
      pages->with_record += page.extracted.empty() ? 0 : 1;
      scores.AddPage(site, inputs.schema, ExtractedRecords(page),
                     TrueRecords(page));
    }
    return scores;
  }

  static eval::Calibration Calibrate(const EvalInputs& inputs,
                                     const std::set<std::string>& excluded) {
    std::vector<bool> is_known;
    for (const proto::Attribute& attribute : inputs.schema.attribute()) {
      is_known.push_back(inputs.true_attributes.count(attribute.name()) > 0);
    }
    eval::Calibration calibration(std::move(is_known));
    for (const auto& [url, page] : inputs.pages) {
      if (excluded.count(url) > 0) continue;
      calibration.AddPage(inputs.schema, StatedRecords(page),
                          TrueRecords(page));
    }
    return calibration;
  }

  static cli::Report MakeReport(const EvalInputs& inputs,
                                const std::set<std::string>& excluded) {
    Pages pages;
    const eval::Scores scores = Score(inputs, excluded, &pages);
    std::set<std::string> attributes;
    for (const proto::Attribute& attribute : inputs.schema.attribute()) {
      attributes.insert(attribute.name());
    }
    const eval::MeanScore overall = scores.Overall();
    const eval::MeanRecordScore overall_records = scores.OverallRecords();
    cli::Report report;
    nlohmann::ordered_json& json = *report.json;
    json["pages"] = pages.scored;
    json["pages_with_record"] = pages.with_record;
    json["pages_excluded"] = pages.excluded;
    json["records_without_truth"] = inputs.records_without_truth;
    json["overall"] = {{"sites", overall.count}};
    AddMeans(overall, &json["overall"]);
    json["overall"]["record"] = FigureJson(overall_records.whole);
    json["overall"]["record_share"] = FigureJson(overall_records.share);
    json["sites"] = nlohmann::ordered_json::array();
    for (const auto& [site, site_score] : scores.sites()) {
      nlohmann::ordered_json row;
      row["site"] = site;
      row["pages"] = pages.by_site[site];
      AddMeans(scores.OfSite(site), &row);
      row["record"] = TallyJson(site_score.records.whole);
      row["record_share"] = FigureJson(site_score.records.Share());
      row["attributes"] = nlohmann::ordered_json::array();
      for (const auto& [attribute, score] : site_score.attributes) {
        row["attributes"].push_back({{"attribute", attribute},
                                     {"occurs", score.occurs()},
                                     {"strict", TallyJson(score.strict)},
                                     {"page_hit", TallyJson(score.page_hit)},
                                     {"value", TallyJson(score.value)}});
      }
      json["sites"].push_back(std::move(row));
    }
    json["attributes"] = nlohmann::ordered_json::array();
    for (const std::string& attribute : attributes) {
      const eval::MeanScore mean = scores.OfAttribute(attribute);
      if (mean.count == 0) continue;
      nlohmann::ordered_json row;
      row["attribute"] = attribute;
      row["sites"] = mean.count;
      AddMeans(mean, &row);
      json["attributes"].push_back(std::move(row));
    }
    report.text = Text(scores, attributes, pages, inputs.records_without_truth);
    if (scores.has_several_records()) report.text += RecordsText(scores);
    return report;
  }

  static std::string Text(const eval::Scores& scores,
                          const std::set<std::string>& attributes,
                          const Pages& pages, int64_t records_without_truth) {
    cli::TextTable table(
        {cli::TextTable::Left("", 9), cli::TextTable::Left("", 9),
         cli::TextTable::Right("strict F1"), cli::TextTable::Right("precision"),
         cli::TextTable::Right("recall", 9),
         cli::TextTable::Right("page hit", 9),
         cli::TextTable::Right("value F1", 9),
         cli::TextTable::Right("right", 7), cli::TextTable::Right("extracted"),
         cli::TextTable::Right("true", 7)});
    const auto means = [&](const std::string& what, const std::string& which,
                           const eval::MeanScore& mean) {
      table.Add(what, which, Cell(mean.strict.f1), Cell(mean.strict.precision),
                Cell(mean.strict.recall), Cell(mean.page_hit.f1),
                Cell(mean.value.f1));
    };
    size_t num_shown = 0;
    for (const auto& [site, site_score] : scores.sites()) {
      if (num_shown++ == kSitesInText) break;
      for (const auto& [attribute, score] : site_score.attributes) {
        table.Add(site, attribute, Cell(score.strict.F1()),
                  Cell(score.strict.Precision()), Cell(score.strict.Recall()),
                  Cell(score.page_hit.F1()), Cell(score.value.F1()),
                  score.strict.right, score.strict.extracted,
                  score.strict.is_true);
      }
      means(site, "(mean)", scores.OfSite(site));
    }
    if (scores.sites().size() > kSitesInText) {
      table.AddLine(StrCat("... and ", scores.sites().size() - kSitesInText,
                           " more sites; --json has all"));
    }
    for (const std::string& attribute : attributes) {
      const eval::MeanScore mean = scores.OfAttribute(attribute);
      if (mean.count > 0) means("all sites", attribute, mean);
    }
    means("all sites", "(mean)", scores.Overall());
    return StrCat(Counted(pages.scored, "page"), " scored, ", pages.with_record,
                  " with a record; ", pages.excluded, " excluded; ",
                  Counted(records_without_truth, "record"), " without truth\n",
                  table.Text());
  }

  // The figures of whole records, which say no more than those of attributes
  // where every page has one.
  static std::string RecordsText(const eval::Scores& scores) {
    cli::TextTable table(
        {cli::TextTable::Left("", 9), cli::TextTable::Right("record F1"),
         cli::TextTable::Right("precision"), cli::TextTable::Right("recall", 9),
         cli::TextTable::Right("share F1", 9),
         cli::TextTable::Right("precision"), cli::TextTable::Right("recall", 9),
         cli::TextTable::Right("right", 7), cli::TextTable::Right("extracted"),
         cli::TextTable::Right("true", 7)});
    size_t num_shown = 0;
    for (const auto& [site, site_score] : scores.sites()) {
      if (num_shown++ == kSitesInText) break;
      const eval::Tally& whole = site_score.records.whole;
      const eval::MeanFigure share = site_score.records.Share();
      table.Add(site, Cell(whole.F1()), Cell(whole.Precision()),
                Cell(whole.Recall()), Cell(share.f1), Cell(share.precision),
                Cell(share.recall), whole.right, whole.extracted,
                whole.is_true);
    }
    const eval::MeanRecordScore overall = scores.OverallRecords();
    table.Add("all sites", Cell(overall.whole.f1),
              Cell(overall.whole.precision), Cell(overall.whole.recall),
              Cell(overall.share.f1), Cell(overall.share.precision),
              Cell(overall.share.recall));
    return StrCat("records, aligned on each page\n", table.Text());
  }

  std::string records_;
  std::vector<std::string> truth_files_;
  std::vector<std::string> exclude_files_;
  std::string schema_file_;
  bool calibration_ = false;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeEvalVerb() {
  return std::make_unique<EvalVerb>();
}

}  // namespace trommel::jobs::eval_job

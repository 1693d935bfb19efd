#ifndef TROMMEL_JOBS_RUN_LAYOUT_LAYOUT_H_
#define TROMMEL_JOBS_RUN_LAYOUT_LAYOUT_H_

// Where a pipeline keeps what.
//
//   work/day=DATE/clusters|monitor|probation|reuse|check
//   work/samples/VERTICAL/day=DATE, and DATE.sites: the sites in it
//   work/learnt/VERTICAL/day=DATE, for the sample of that date
//   records|rejects|figures/date=DATE, and nothing else: others read them as
//   tables (jobs/tables/extract_output.h)
//   extract/date=DATE, where these are made, and what they were made of
//   deliveries/day=DATE, what was delivered, against the nights before; the
//   table has a column `date` of its own, which is why it is not date=DATE
//   reports/day=DATE/coverage, logs/, and copies of pages that people open
//   reports/alerts.json, open_alerts.json, metrics.prom, on_alert.log, run.lock
//   rules/ (jobs/rule_store/rule_store.h)

#include <string>
#include <utility>

#include "core/base/strings.h"
#include "jobs/run/layout/dates.h"
#include "jobs/tables/extract_output.h"
#include "proto/pipeline.pb.h"

namespace trommel::jobs::run::layout {

class Layout {
 public:
  // `pipeline` has the paths of ReadPipelineFile().
  explicit Layout(proto::Pipeline pipeline) : pipeline_(std::move(pipeline)) {}

  const proto::Pipeline& pipeline() const { return pipeline_; }

  std::string Crawl(const std::string& date) const {
    return ForDate(pipeline_.crawl(), date);
  }
  std::string Clusters(const std::string& date) const {
    return StrCat(WorkDay(date), "/clusters");
  }
  std::string Monitor(const std::string& date) const {
    return StrCat(WorkDay(date), "/monitor");
  }
  // The file with the sites whose pages of the night are no pages.
  std::string BlockedSites(const std::string& date) const {
    return StrCat(WorkDay(date), "/blocked.sites");
  }
  // The folder with what the monitor says of rules on probation.
  std::string Probation(const std::string& date) const {
    return StrCat(WorkDay(date), "/probation");
  }
  std::string Reuse(const std::string& date) const {
    return StrCat(WorkDay(date), "/reuse");
  }
  // The file with the sites that reuse dealt with.
  std::string ReusedSites(const std::string& date) const {
    return StrCat(Reuse(date), ".sites");
  }
  // The folder with the samples of all dates, each in day=DATE.
  std::string AllSamples(const std::string& vertical) const {
    return StrCat(pipeline_.work(), "/samples/", vertical);
  }
  std::string Samples(const std::string& vertical,
                      const std::string& date) const {
    return StrCat(AllSamples(vertical), "/day=", date);
  }
  std::string SampledSites(const std::string& vertical,
                           const std::string& date) const {
    return StrCat(AllSamples(vertical), "/", date, ".sites");
  }
  std::string Learnt(const std::string& vertical,
                     const std::string& date) const {
    return StrCat(pipeline_.work(), "/learnt/", vertical, "/day=", date);
  }
  // The folder with what the monitor says of rules that are not in service yet.
  std::string Check(const std::string& date) const {
    return StrCat(WorkDay(date), "/check");
  }
  // The file with those rules.
  std::string RulesToCheck(const std::string& date) const {
    return StrCat(Check(date), ".binpb");
  }
  std::string RuleStoreFolder() const { return pipeline_.rules(); }
  // The file is that of RuleStore::DateFile().
  std::string Published(const std::string& date) const {
    return StrCat(pipeline_.rules(), "/dates/", date, ".json");
  }
  // The folder where extract writes, until all of it is delivered. It is beside
  // the records: they are moved, not copied, and a work folder whose disk is
  // full does not keep the rules from serving.
  std::string Extracted(const std::string& date) const {
    return StrCat(tables::BesideRecords(pipeline_.records(), "extract"),
                  kDatePartition, date);
  }
  std::string Records(const std::string& date) const {
    return StrCat(pipeline_.records(), kDatePartition, date);
  }
  std::string Rejects(const std::string& date) const {
    return StrCat(pipeline_.rejects(), kDatePartition, date);
  }
  std::string Figures(const std::string& date) const {
    return StrCat(pipeline_.figures(), kDatePartition, date);
  }
  std::string Deliveries(const std::string& date) const {
    return StrCat(tables::BesideRecords(pipeline_.records(), "deliveries"),
                  "/day=", date);
  }
  std::string ReportDay(const std::string& date) const {
    return StrCat(pipeline_.reports(), "/day=", date);
  }
  // Reports are local; the tasks of a cluster cannot write there.
  std::string Coverage(const std::string& date) const {
    return StrCat(pipeline_.engine().engine() == "hadoop" ? WorkDay(date)
                                                          : ReportDay(date),
                  "/coverage");
  }
  // The folder where people open what a stage has left for them at `output`:
  // that one, or among the reports if no browser can.
  std::string Pages(const std::string& output, const std::string& date,
                    const std::string& stage) const {
    return output.find("://") == std::string::npos
               ? output
               : StrCat(ReportDay(date), "/", stage);
  }
  std::string SamplePages(const std::string& vertical,
                          const std::string& date) const {
    return Pages(Samples(vertical, date), date, StrCat("sample-", vertical));
  }
  std::string LearntPages(const std::string& vertical,
                          const std::string& date) const {
    return Pages(Learnt(vertical, date), date, StrCat("learn-", vertical));
  }
  std::string Logs(const std::string& date) const {
    return StrCat(ReportDay(date), "/logs");
  }
  // The file with what on_alert was told, and what it is still to be told.
  std::string Alerts() const {
    return StrCat(pipeline_.reports(), "/alerts.json");
  }
  // The file with the alerts that are open, and since when.
  std::string AlertBook() const {
    return StrCat(pipeline_.reports(), "/open_alerts.json");
  }
  std::string Metrics() const {
    return StrCat(pipeline_.reports(), "/metrics.prom");
  }

 private:
  static constexpr char kDatePartition[] = "/date=";

  std::string WorkDay(const std::string& date) const {
    return StrCat(pipeline_.work(), "/day=", date);
  }

  proto::Pipeline pipeline_;
};

}  // namespace trommel::jobs::run::layout

#endif  // TROMMEL_JOBS_RUN_LAYOUT_LAYOUT_H_

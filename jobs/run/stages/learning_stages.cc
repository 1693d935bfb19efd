// The stages that get rules from people: sample, learn.
//
// Sites are sampled when an editor is needed (sites_to_sample.h). Each sample
// has a file of annotations of its own, and learning is repeated whenever that
// file changes, also on later nights.

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "core/base/status.h"
#include "core/learn/site_learning.h"
#include "core/rule/rule.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/layout/dates.h"
#include "jobs/run/stages/sites_to_sample.h"
#include "jobs/run/stages/stages.h"
#include "jobs/run/stages/vertical_schema.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::stages {
namespace {

using Kind = scheduling::StageInput::Kind;

constexpr char kAnnotateIndex[] = "annotate.html";

std::string AnnotationsOf(const proto::Vertical& vertical,
                          const std::string& date) {
  return layout::ForDate(vertical.annotations(), date);
}

absl::StatusOr<std::string> ReadText(const std::string& file) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
  return io::ReadFile(path);
}

// Says that an editor is needed for a site of a sample.
alerts::Alert AnnotationAlert(const layout::Layout& layout,
                              const proto::Vertical& vertical,
                              const std::string& sample,
                              const std::string& site) {
  alerts::Alert alert;
  alert.kind = "needs_annotation";
  alert.site = site;
  alert.report =
      StrCat(layout.SamplePages(vertical.name(), sample), "/", kAnnotateIndex);
  alert.message = StrCat("annotate pages of ", site, " for ", vertical.name(),
                         ": open ", alert.report, ", save as ",
                         AnnotationsOf(vertical, sample), " and run again");
  return alert;
}

// Says that a site answers with pages that are no pages, which is why it has
// never been sampled.
alerts::Alert BlockedAlert(const std::string& site, const std::string& reason) {
  alerts::Alert alert;
  alert.kind = "site_blocked";
  alert.site = site;
  alert.message = StrCat(site, ": ", reason);
  return alert;
}

// `asked` is what it is sampled for.
absl::StatusOr<scheduling::StagePlan> PlanSample(
    const Night& night, const proto::Vertical& vertical,
    const scheduling::Available& available, SitesToSample* asked) {
  const layout::Layout& layout = *night.layout;
  if (!available(layout.Clusters(night.date))) {
    return scheduling::StagePlan::NotNeeded(
        NothingFrom(layout, "cluster", night.date));
  }
  TROMMEL_RETURN_IF_ERROR(CheckSchemaOf(vertical));
  TROMMEL_ASSIGN_OR_RETURN(*asked,
                           FindSitesToSample(night, vertical, available));
  if (asked->sites.empty()) {
    scheduling::StagePlan plan = scheduling::StagePlan::NotNeeded(
        !asked->has_crawled ? "the crawl has no template of its sites"
        : asked->blocked.empty()
            ? "its sites were sampled before and need no editor"
            : "its sites were sampled before, or answer with no pages");
    for (const auto& [site, reason] : asked->blocked) {
      plan.alerts.push_back(BlockedAlert(site, reason));
    }
    return plan;
  }
  scheduling::StageCall call = JobCall(layout, "sample");
  call.flags.push_back("--skip-alike");
  call.inputs = {
      {Kind::kCrawl, "crawl", layout.Crawl(night.date)},
      {Kind::kOutput, "clusters", layout.Clusters(night.date)},
      {Kind::kFile, "schema", vertical.schema()},
      {Kind::kFile, "sites", layout.SampledSites(vertical.name(), night.date),
       tables::FormatSitesFile(asked->sites)}};
  return scheduling::StagePlan::Run(std::move(call));
}

// Until there are annotations, the sample is what waits for an editor: an alert
// for each site.
std::vector<alerts::Alert> SampleAlerts(const Night& night,
                                        const proto::Vertical& vertical,
                                        const SitesToSample& asked) {
  std::vector<alerts::Alert> alerts;
  for (const auto& [site, reason] : asked.blocked) {
    alerts.push_back(BlockedAlert(site, reason));
  }
  if (PathExists(AnnotationsOf(vertical, night.date))) return alerts;
  for (const std::string& site : asked.sites) {
    alerts::Alert& alert = alerts.emplace_back(
        AnnotationAlert(*night.layout, vertical, night.date, site));
    const auto why = asked.again.find(site);
    if (why != asked.again.end()) {
      StrAppend(&alert.message, "; it is sampled again: ", why->second);
    }
  }
  return alerts;
}

absl::StatusOr<std::set<std::string>> SitesInSample(
    const layout::Layout& layout, const proto::Vertical& vertical,
    const std::string& sample) {
  TROMMEL_ASSIGN_OR_RETURN(
      const io::Path file,
      io::ResolvePath(layout.SampledSites(vertical.name(), sample)));
  return tables::ReadSiteLines(file);
}

// Returns the plan for a sample that nobody has annotated yet: whoever is to is
// asked as long as a site has no rule, or has lost one, and is in no later
// sample.
absl::StatusOr<scheduling::StagePlan> WaitForAnnotations(
    const layout::Layout& layout, const proto::Vertical& vertical,
    const std::string& sample) {
  TROMMEL_ASSIGN_OR_RETURN(std::set<std::string> sites,
                           SitesInSample(layout, vertical, sample));
  constexpr char kAfterAllDates[] = "9999-12-31";
  TROMMEL_ASSIGN_OR_RETURN(
      const std::vector<std::string> samples,
      EarlierSamples(layout, vertical.name(), kAfterAllDates));
  for (const std::string& other : samples) {
    if (other <= sample) continue;
    TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> later,
                             SitesInSample(layout, vertical, other));
    for (const std::string& site : later) sites.erase(site);
  }
  TROMMEL_ASSIGN_OR_RETURN(
      const rule_store::RuleStore store,
      rule_store::RuleStore::Open(layout.RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string current, store.Current());
  if (!current.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo info,
                             store.Info(current));
    TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules, store.Rules(current));
    for (const proto::Rule& rule : rules.rule()) {
      if (info.losses.count(rule.site()) == 0) sites.erase(rule.site());
    }
  }
  scheduling::StagePlan plan = scheduling::StagePlan::NotNeeded(
      StrCat("no annotations yet: ", AnnotationsOf(vertical, sample),
             " is not there"));
  for (const std::string& site : sites) {
    plan.alerts.push_back(AnnotationAlert(layout, vertical, sample, site));
  }
  return plan;
}

// Returns the plan for annotations that are gone and that rules were learnt
// from: an accident, more often than not.
scheduling::StagePlan WithoutAnnotations(const std::string& annotations) {
  scheduling::StagePlan plan = scheduling::StagePlan::Present(
      StrCat(annotations, " is gone; what was learnt from it stays"));
  alerts::Alert& alert = plan.alerts.emplace_back();
  alert.kind = "learning_failed";
  alert.message =
      StrCat(annotations,
             " is gone, and what was learnt from it stays in service: put it "
             "back, or an empty file in its place if the rules are to go");
  return plan;
}

// Without its schema a vertical keeps what it has. The stage that samples it
// says so, once a night.
absl::StatusOr<scheduling::StagePlan> PlanLearn(
    const layout::Layout& layout, const proto::Vertical& vertical,
    const std::string& sample, const scheduling::Available& available) {
  if (!available(layout.Samples(vertical.name(), sample))) {
    return scheduling::StagePlan::NotNeeded(
        NothingFrom(layout, "sample", sample));
  }
  const std::string annotations = AnnotationsOf(vertical, sample);
  const bool has_learnt = PathExists(
      StrCat(layout.Learnt(vertical.name(), sample), "/", io::kSuccessFile));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path file, io::ResolvePath(annotations));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(file));
  if (entry.kind == io::EntryKind::kNone) {
    if (has_learnt) return WithoutAnnotations(annotations);
    return WaitForAnnotations(layout, vertical, sample);
  }
  if (const absl::Status status = CheckSchemaOf(vertical); !status.ok()) {
    if (IsOff(layout, "sample")) return status;
    return has_learnt
               ? scheduling::StagePlan::Present(std::string(status.message()))
               : scheduling::StagePlan::NotNeeded(
                     std::string(status.message()));
  }
  scheduling::StageCall call = JobCall(layout, "learn");
  call.inputs = {
      {Kind::kOutput, "samples", layout.Samples(vertical.name(), sample)},
      {Kind::kFile, "annotations", annotations},
      {Kind::kFile, "schema", vertical.schema()}};
  return scheduling::StagePlan::Run(std::move(call));
}

std::vector<alerts::Alert> LearnAlerts(const layout::Layout& layout,
                                       const proto::Vertical& vertical,
                                       const std::string& sample,
                                       const summaries::Learn& summary) {
  std::vector<alerts::Alert> alerts;
  const std::string statuses =
      StrCat(layout.LearntPages(vertical.name(), sample), "/status.jsonl");
  // The first page that is asked for of each site, with how many more.
  std::map<std::string, std::vector<const tables::ClusterStatus*>> open;
  for (const tables::ClusterStatus& status : summary.status) {
    if (status.status ==
        learn::LearnStatusName(learn::LearnStatus::kNeedsAnnotation)) {
      open[status.site].push_back(&status);
    }
  }
  for (const auto& [site, clusters] : open) {
    const tables::ClusterStatus& first = *clusters.front();
    alerts::Alert& alert = alerts.emplace_back();
    alert.kind = "needs_annotation";
    alert.site = site;
    alert.report = StrCat(layout.SamplePages(vertical.name(), sample), "/",
                          kAnnotateIndex);
    alert.message = StrCat("annotate ", first.next_url, " of ", site, " for ",
                           vertical.name(), ": ", first.reason, "; add to ",
                           AnnotationsOf(vertical, sample));
    if (clusters.size() > 1) {
      StrAppend(&alert.message, " (", statuses, " has ", clusters.size() - 1,
                " more)");
    }
    alert.examples = {first.next_url};
    alert.numbers = {{"clusters", static_cast<double>(clusters.size())}};
  }
  if (const int64_t failed = summary.failed; failed > 0) {
    alerts::Alert& alert = alerts.emplace_back();
    alert.kind = "learning_failed";
    alert.report = statuses;
    alert.message =
        StrCat("no rule was found for ", Counted(failed, "cluster"), " of ",
               vertical.name(), "; ", statuses, " says why");
    alert.numbers = {{"clusters", static_cast<double>(failed)}};
  }
  return alerts;
}

}  // namespace

absl::Status AddSampleStages(const Night& night,
                             std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
    scheduling::Stage stage;
    stage.kind = "sample";
    stage.date = night.date;
    stage.vertical = vertical.name();
    stage.needs = {layout.Crawl(night.date), layout.Clusters(night.date)};
    stage.uses = {layout.Monitor(night.date), layout.Reuse(night.date)};
    if (!night.before.empty()) {
      stage.uses.push_back(layout.Samples(vertical.name(), night.before));
    }
    stage.output = layout.Samples(vertical.name(), night.date);
    stage.pages = layout.SamplePages(vertical.name(), night.date);
    const auto asked = std::make_shared<SitesToSample>();
    stage.plan = [night, vertical,
                  asked](const scheduling::Available& available) {
      return PlanSample(night, vertical, available, asked.get());
    };
    stage.alerts = AlertsFrom<summaries::Sample>(
        [night, vertical, asked](const summaries::Sample&) {
          return SampleAlerts(night, vertical, *asked);
        });
    stages->push_back(std::move(stage));
  }
  return absl::OkStatus();
}

absl::Status AddLearnStages(const Night& night,
                            std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<std::string> samples,
        EarlierSamples(layout, vertical.name(), night.date));
    samples.push_back(night.date);
    for (const std::string& sample : samples) {
      scheduling::Stage stage;
      stage.kind = "learn";
      stage.date = sample;
      stage.vertical = vertical.name();
      stage.needs = {layout.Samples(vertical.name(), sample)};
      stage.output = layout.Learnt(vertical.name(), sample);
      stage.pages = layout.LearntPages(vertical.name(), sample);
      if (std::any_of(stages->begin(), stages->end(),
                      [&](const scheduling::Stage& other) {
                        return other.output == stage.output;
                      })) {
        continue;  // an earlier night of the run has it
      }
      stage.plan = [&layout, vertical,
                    sample](const scheduling::Available& available) {
        return PlanLearn(layout, vertical, sample, available);
      };
      stage.alerts = AlertsFrom<summaries::Learn>(
          [&layout, vertical, sample](const summaries::Learn& summary) {
            return LearnAlerts(layout, vertical, sample, summary);
          });
      stages->push_back(std::move(stage));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<scheduling::StageInput>> LearntInputs(
    const Night& night, const std::vector<scheduling::Stage>& stages) {
  const layout::Layout& layout = *night.layout;
  std::vector<scheduling::StageInput> inputs;
  for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
    TROMMEL_ASSIGN_OR_RETURN(
        const std::vector<std::string> earlier,
        EarlierSamples(layout, vertical.name(), night.date));
    std::set<std::string> samples(earlier.begin(), earlier.end());
    for (const scheduling::Stage& stage : stages) {
      if (stage.kind == "sample" && stage.vertical == vertical.name()) {
        samples.insert(stage.date);
      }
    }
    for (const std::string& sample : samples) {
      inputs.push_back({Kind::kOutput,
                        StrCat("learnt=", vertical.name(), "/", sample),
                        layout.Learnt(vertical.name(), sample)});
    }
  }
  return inputs;
}

absl::StatusOr<proto::RuleSet> NewlyLearnt(
    const Night& night, const std::vector<scheduling::StageInput>& learnt) {
  TROMMEL_ASSIGN_OR_RETURN(
      const rule_store::RuleStore store,
      rule_store::RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  std::set<std::string> known;
  if (!base.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo info,
                             store.Info(base));
    for (const auto& [sample, ids] : info.learnt) {
      known.insert(ids.begin(), ids.end());
    }
  }
  // The rules come in the order in which they are published.
  std::map<std::string, std::string> folders;  // by flag
  for (const scheduling::StageInput& input : learnt)
    folders[input.flag] = input.path;
  std::map<std::string, proto::Rule> by_cluster;
  for (const auto& [flag, folder] : folders) {
    TROMMEL_ASSIGN_OR_RETURN(const std::string bytes,
                             ReadText(StrCat(folder, "/", tables::kRulesFile)));
    TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet rules, rule::DecodeRules(bytes));
    for (proto::Rule& rule : *rules.mutable_rule()) {
      if (known.count(rule::RuleId(rule)) > 0) continue;
      const auto other = by_cluster.find(rule.cluster_id());
      if (other != by_cluster.end() &&
          other->second.schema().name() != rule.schema().name()) {
        continue;
      }
      by_cluster[rule.cluster_id()] = std::move(rule);
    }
  }
  proto::RuleSet news;
  for (auto& [cluster, rule] : by_cluster) *news.add_rule() = std::move(rule);
  return news;
}

}  // namespace trommel::jobs::run::stages

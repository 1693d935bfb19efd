// The stages that get rules from people: sample, learn.
//
// A site is sampled once, on the first night on which it has pages, and again
// when it has changed so that an editor is needed. Each sample has a file of
// annotations of its own, and learning is repeated whenever that file changes,
// also on later nights.

#include <algorithm>
#include <set>

#include "absl/strings/str_split.h"
#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/dates.h"
#include "jobs/run/stages.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/samples_table.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/io/path.h"

namespace trommel::run {
namespace {

using nlohmann::ordered_json;
using Kind = StageInput::Kind;

constexpr char kAnnotateIndex[] = "annotate.html";

std::string AnnotationsOf(const proto::Vertical& vertical,
                          const std::string& date) {
  return ForDate(vertical.annotations(), date);
}

absl::StatusOr<std::string> ReadText(const std::string& file) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
  return io::ReadFile(path);
}

// The sites of a vertical with templates in the crawl of a date.
absl::StatusOr<std::set<std::string>> SitesOfVertical(
    const Night& night, const proto::Vertical& vertical) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path clusters,
                           io::ResolvePath(night.layout->Clusters(night.date)));
  TROMMEL_ASSIGN_OR_RETURN(const auto crawled,
                           SitesOf(clusters.Child(kSampledClustersFolder)));
  std::set<std::string> sites(crawled.begin(), crawled.end());
  if (vertical.site().empty()) return sites;
  std::set<std::string> wanted;
  for (const std::string& site : vertical.site()) {
    if (sites.count(site) > 0) wanted.insert(site);
  }
  return wanted;
}

// The sites that reuse could not find rules for.
absl::StatusOr<std::set<std::string>> SitesToAnnotate(const std::string& file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, ReadText(file));
  std::set<std::string> sites;
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    const ordered_json json =
        ordered_json::parse(line.begin(), line.end(), nullptr, false);
    if (json.is_object() && json.contains("site") && json["site"].is_string()) {
      sites.insert(json["site"].get<std::string>());
    }
  }
  return sites;
}

absl::StatusOr<StagePlan> PlanSample(const Night& night,
                                     const proto::Vertical& vertical,
                                     const Available& available) {
  const Layout& layout = *night.layout;
  TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> sites,
                           SitesOfVertical(night, vertical));
  std::set<std::string> wanted = sites;
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> samples,
                           EarlierSamples(layout, vertical.name(), night.date));
  for (const std::string& sample : samples) {
    TROMMEL_ASSIGN_OR_RETURN(
        const io::Path file,
        io::ResolvePath(layout.SampledSites(vertical.name(), sample)));
    TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> sampled,
                             ReadSiteLines(file));
    for (const std::string& site : sampled) wanted.erase(site);
  }
  if (available(layout.Reuse(night.date))) {
    TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> changed,
                             SitesToAnnotate(StrCat(layout.Reuse(night.date),
                                                    "/to_annotate.jsonl")));
    for (const std::string& site : changed) {
      if (sites.count(site) > 0) wanted.insert(site);
    }
  }
  if (wanted.empty()) {
    return StagePlan::NotNeeded(
        sites.empty() ? "the crawl has no template of its sites"
                      : "its sites were sampled before and need no editor");
  }
  StageCall call = JobCall(layout, "sample");
  call.inputs = {
      {Kind::kCrawl, "crawl", layout.Crawl(night.date)},
      {Kind::kOutput, "clusters", layout.Clusters(night.date)},
      {Kind::kFile, "schema", vertical.schema()},
      {Kind::kFile, "sites", layout.SampledSites(vertical.name(), night.date),
       FormatSitesFile(wanted)}};
  return StagePlan::Run(std::move(call));
}

// Until there are annotations, the sample is what waits for an editor.
absl::StatusOr<std::vector<Alert>> SampleAlerts(const Night& night,
                                                const proto::Vertical& vertical,
                                                const ordered_json& summary) {
  std::vector<Alert> alerts;
  const std::string annotations = AnnotationsOf(vertical, night.date);
  if (IsThere(annotations)) return alerts;
  Alert& alert = alerts.emplace_back();
  alert.kind = "needs_annotation";
  alert.report = StrCat(night.layout->SamplePages(vertical.name(), night.date),
                        "/", kAnnotateIndex);
  alert.message = StrCat("annotate the sample of ", vertical.name(), " of ",
                         night.date, ": open ", alert.report, ", save as ",
                         annotations, " and run again");
  for (const char* const number : {"sites", "clusters_sampled", "pages"}) {
    if (summary.contains(number) && summary[number].is_number()) {
      alert.numbers.emplace_back(number, summary[number].get<double>());
    }
  }
  return alerts;
}

absl::StatusOr<StagePlan> PlanLearn(const Layout& layout,
                                    const proto::Vertical& vertical,
                                    const std::string& sample) {
  const std::string annotations = AnnotationsOf(vertical, sample);
  if (!IsThere(annotations)) {
    return StagePlan::NotNeeded(
        StrCat("no annotations yet: ", annotations, " is not there"));
  }
  StageCall call = JobCall(layout, "learn");
  call.inputs = {
      {Kind::kOutput, "samples", layout.Samples(vertical.name(), sample)},
      {Kind::kFile, "annotations", annotations},
      {Kind::kFile, "schema", vertical.schema()}};
  return StagePlan::Run(std::move(call));
}

absl::StatusOr<std::vector<Alert>> LearnAlerts(const Layout& layout,
                                               const proto::Vertical& vertical,
                                               const std::string& sample,
                                               const ordered_json& summary) {
  std::vector<Alert> alerts;
  const auto count = [&](const char* name) {
    return summary.contains(name) && summary[name].is_number()
               ? summary[name].get<int64_t>()
               : int64_t{0};
  };
  const std::string statuses =
      StrCat(layout.LearntPages(vertical.name(), sample), "/status.jsonl");
  if (const int64_t open = count("needs_annotation"); open > 0) {
    Alert& alert = alerts.emplace_back();
    alert.kind = "needs_annotation";
    alert.report = StrCat(layout.SamplePages(vertical.name(), sample), "/",
                          kAnnotateIndex);
    alert.message = StrCat(
        Counted(open, "cluster"), " of the sample of ", vertical.name(), " of ",
        sample, " need another annotated page; ", statuses,
        " says which (next_url); add to ", AnnotationsOf(vertical, sample));
    alert.numbers = {{"clusters", static_cast<double>(open)}};
  }
  if (const int64_t failed = count("failed"); failed > 0) {
    Alert& alert = alerts.emplace_back();
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

absl::Status AddSampleStages(const Night& night, std::vector<Stage>* stages) {
  const Layout& layout = *night.layout;
  for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
    Stage stage;
    stage.kind = "sample";
    stage.date = night.date;
    stage.vertical = vertical.name();
    stage.needs = {layout.Crawl(night.date), layout.Clusters(night.date)};
    stage.uses = {layout.Reuse(night.date)};
    if (!night.before.empty()) {
      stage.uses.push_back(layout.Samples(vertical.name(), night.before));
    }
    stage.output = layout.Samples(vertical.name(), night.date);
    stage.pages = layout.SamplePages(vertical.name(), night.date);
    stage.plan = [night, vertical](const Available& available) {
      return PlanSample(night, vertical, available);
    };
    stage.alerts = [night, vertical](const ordered_json& summary) {
      return SampleAlerts(night, vertical, summary);
    };
    stages->push_back(std::move(stage));
  }
  return absl::OkStatus();
}

absl::Status AddLearnStages(const Night& night, std::vector<Stage>* stages) {
  const Layout& layout = *night.layout;
  for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<std::string> samples,
        EarlierSamples(layout, vertical.name(), night.date));
    samples.push_back(night.date);
    for (const std::string& sample : samples) {
      Stage stage;
      stage.kind = "learn";
      stage.date = sample;
      stage.vertical = vertical.name();
      stage.needs = {layout.Samples(vertical.name(), sample)};
      stage.output = layout.Learnt(vertical.name(), sample);
      stage.pages = layout.LearntPages(vertical.name(), sample);
      if (std::any_of(stages->begin(), stages->end(), [&](const Stage& other) {
            return other.output == stage.output;
          })) {
        continue;  // an earlier night of the run has it
      }
      stage.plan = [&layout, vertical, sample](const Available&) {
        return PlanLearn(layout, vertical, sample);
      };
      stage.alerts = [&layout, vertical, sample](const ordered_json& summary) {
        return LearnAlerts(layout, vertical, sample, summary);
      };
      stages->push_back(std::move(stage));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<StageInput>> LearntInputs(
    const Night& night, const std::vector<Stage>& stages) {
  const Layout& layout = *night.layout;
  std::vector<StageInput> inputs;
  for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
    TROMMEL_ASSIGN_OR_RETURN(
        const std::vector<std::string> earlier,
        EarlierSamples(layout, vertical.name(), night.date));
    std::set<std::string> samples(earlier.begin(), earlier.end());
    for (const Stage& stage : stages) {
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

absl::StatusOr<std::vector<StageInput>> NewlyLearnt(
    const Night& night, const std::vector<StageInput>& learnt,
    const Available& available) {
  TROMMEL_ASSIGN_OR_RETURN(const RuleStore store,
                           RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  std::set<std::string> known;
  if (!base.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const VersionInfo info, store.Info(base));
    for (const auto& [sample, ids] : info.learnt) {
      known.insert(ids.begin(), ids.end());
    }
  }
  std::vector<StageInput> news;
  for (const StageInput& input : learnt) {
    if (!available(input.path)) continue;
    TROMMEL_ASSIGN_OR_RETURN(const std::string bytes,
                             ReadText(StrCat(input.path, "/", kRulesFile)));
    TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules, DecodeRules(bytes));
    if (std::any_of(rules.rule().begin(), rules.rule().end(),
                    [&](const proto::Rule& rule) {
                      return known.count(RuleId(rule)) == 0;
                    })) {
      news.push_back(input);
    }
  }
  return news;
}

}  // namespace trommel::run

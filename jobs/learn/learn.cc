#include "jobs/learn/learn.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/learn/site_learning.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/learn/annotation_files.h"
#include "jobs/learn/learn_step.h"
#include "jobs/learn/outcomes_table.h"
#include "jobs/page/page_flags.h"
#include "jobs/summaries/learn.h"
#include "jobs/tables/rules_folder.h"
#include "jobs/tables/samples_table.h"
#include "jobs/tables/sites_file.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"

namespace trommel {
namespace {

constexpr size_t kClustersInReport = 20;

constexpr LearnStatus kAllStatuses[] = {
    LearnStatus::kDone, LearnStatus::kNeedsAnnotation, LearnStatus::kFailed,
    LearnStatus::kIgnored};

// All that the job came to.
struct Outcomes {
  proto::RuleSet rules;
  std::vector<ClusterStatus> statuses;  // by site and cluster
  std::vector<AnnotationProblem> warnings;
};

class LearnVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "learn"; }
  std::string_view summary() const override {
    return "learn extraction rules from annotated sample pages";
  }
  std::string_view description() const override {
    return "Of each cluster a rule that extracts the attributes of the schema, "
           "learnt from the\nannotated pages of its sample and tried on the "
           "others. Writes rules.binpb,\nrules.textproto (the same for people) "
           "and status.jsonl, a line for each cluster:\n\n"
           "  done              the rule holds on the rest of the sample\n"
           "  needs_annotation  next_url is the page to annotate next\n"
           "  failed            no page is left to ask for; the reason says "
           "why\n"
           "  ignored           the annotations skip it\n\n"
           "Annotations are lines of JSON, as the pages of `trommel sample` "
           "save them. Bad\nlines, attributes that the schema lacks and URLs "
           "outside the sample are errors;\nvalues that are not found and "
           "contradictions are warnings (FILE:LINE: ...).";
  }
  std::string_view example() const override {
    return "trommel learn --samples=samples --annotations=films.jsonl "
           "--schema=schemas/movie.textproto --out=rules";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("samples", &samples_, "output of trommel sample").Required();
    flags
        ->Texts("annotations", &annotation_files_,
                "what editors say of its pages (JSON lines)")
        .Required();
    flags->Text("schema", &schema_file_, "attributes to extract (textproto)")
        .Required();
    flags->Text("out", &out_, "where the rules are written").Required();
    flags->Bool("force", &force_, "replace a finished output");
    flags->Text("sites", &sites_file_,
                "file with the sites to learn, one a line; without it all");
    settings_.learner.Define("how rules are learnt", flags);
    flags
        ->Integer("max-annotated-pages", &settings_.max_annotated_pages,
                  "pages of a cluster that an editor is asked for, at most")
        .Between(1, 1000);
    flags->Integer("reducers", &num_reducers_, "reduce tasks")
        .Between(1, 10000);
    settings_.page.Define(flags);
    engine_.Define(flags);
  }

  absl::Status CheckFlags() const override {
    TROMMEL_RETURN_IF_ERROR(settings_.learner.Check());
    return engine_.Check();
  }

  mr::StepRegistry MakeSteps() const override {
    mr::StepRegistry steps;
    steps.push_back(MakeLearnStep());
    return steps;
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const proto::Schema schema,
                             ReadSchemaFile(schema_file_));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path sample, io::ResolvePath(samples_));
    const io::Path samples = sample.Child(kSamplesFolder);
    const io::Path clusters = sample.Child(kSampledClustersFolder);
    TROMMEL_ASSIGN_OR_RETURN(const AnnotationFiles files,
                             AnnotationFiles::Read(annotation_files_));
    TROMMEL_RETURN_IF_ERROR(files.Check(schema, samples));
    std::set<std::string> sites;
    if (!sites_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const auto known, SitesOf(clusters));
      TROMMEL_ASSIGN_OR_RETURN(
          sites, ReadSitesFile(sites_file_, known, "is in the sample"));
    }
    Outcomes outcomes;
    const std::vector<Annotation> annotations =
        files.WithoutContradictions(&outcomes.warnings);

    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                             engine_.CreateOutput(out_, force_));
    settings_.num_reducers = static_cast<int>(num_reducers_);
    mr::Job job;
    job.name = name();
    job.steps = {LearnSpec(samples.Absolute(), clusters.Absolute(), schema,
                           annotations, sites, settings_)};
    TROMMEL_ASSIGN_OR_RETURN(const mr::JobResult result,
                             engine_.Run(job, MakeSteps(), output.get()));
    const io::Path table = output->staging().Child(kOutcomesFolder);
    TROMMEL_RETURN_IF_ERROR(ReadOutcomes(table, &outcomes));
    TROMMEL_ASSIGN_OR_RETURN(
        const std::vector<io::ShardInfo> rule_files,
        WriteRulesFolder(output->staging(), &outcomes.rules,
                         &outcomes.statuses));
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(table));

    io::Manifest manifest = MakeManifest(result, outcomes);
    manifest.shards.insert(manifest.shards.end(), rule_files.begin(),
                           rule_files.end());
    TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));
    return MakeReport(files, outcomes, result.steps[0].counters);
  }

 private:
  static absl::Status ReadOutcomes(const io::Path& table, Outcomes* outcomes) {
    TROMMEL_RETURN_IF_ERROR(VisitOutcomes(table, [&](OutcomeRow outcome) {
      if (outcome.rule.has_value()) {
        *outcomes->rules.add_rule() = *std::move(outcome.rule);
      }
      outcomes->statuses.push_back(std::move(outcome.status));
      outcomes->warnings.insert(outcomes->warnings.end(),
                                outcome.warnings.begin(),
                                outcome.warnings.end());
      return absl::OkStatus();
    }));
    const auto key = [](const AnnotationProblem& problem) {
      return std::tie(problem.line, problem.message);
    };
    std::vector<AnnotationProblem>& warnings = outcomes->warnings;
    std::sort(warnings.begin(), warnings.end(),
              [&](const AnnotationProblem& a, const AnnotationProblem& b) {
                return key(a) < key(b);
              });
    warnings.erase(std::unique(warnings.begin(), warnings.end(),
                               [&](const AnnotationProblem& a,
                                   const AnnotationProblem& b) {
                                 return key(a) == key(b);
                               }),
                   warnings.end());
    return absl::OkStatus();
  }

  static std::map<std::string_view, int64_t> CountStatuses(
      const Outcomes& outcomes) {
    std::map<std::string_view, int64_t> counts;
    for (const LearnStatus status : kAllStatuses) {
      counts[LearnStatusName(status)] = 0;
    }
    for (const ClusterStatus& status : outcomes.statuses) {
      ++counts[status.status];
    }
    return counts;
  }

  io::Manifest MakeManifest(const mr::JobResult& result,
                            const Outcomes& outcomes) const {
    io::Manifest manifest;
    manifest.verb = name();
    manifest.inputs = {samples_};
    manifest.inputs.insert(manifest.inputs.end(), annotation_files_.begin(),
                           annotation_files_.end());
    manifest.flags = engine_.ManifestFlags();
    for (const auto& settings :
         {settings_.page.Settings(), settings_.learner.Settings()}) {
      manifest.flags.insert(manifest.flags.end(), settings.begin(),
                            settings.end());
    }
    manifest.flags.insert(
        manifest.flags.end(),
        {{"schema", schema_file_},
         {"sites", sites_file_},
         {"max-annotated-pages", StrCat(settings_.max_annotated_pages)}});
    manifest.counts.assign(result.steps[0].counters.begin(),
                           result.steps[0].counters.end());
    for (const auto& [status, count] : CountStatuses(outcomes)) {
      manifest.counts.emplace_back(StrCat("clusters.", status), count);
    }
    for (const io::ShardInfo& shard : result.shards) {
      if (shard.file.compare(0, sizeof(kOutcomesFolder) - 1, kOutcomesFolder) !=
          0) {
        manifest.shards.push_back(shard);
      }
    }
    return manifest;
  }

  cli::Report MakeReport(const AnnotationFiles& files, const Outcomes& outcomes,
                         const mr::Counters& counters) const {
    const std::vector<ClusterStatus>& statuses = outcomes.statuses;
    std::set<std::string_view> sites;
    int64_t annotated_pages = 0;
    std::vector<const ClusterStatus*> next;
    for (const ClusterStatus& status : statuses) {
      sites.insert(status.site);
      annotated_pages += status.annotated_pages;
      if (!status.next_url.empty()) next.push_back(&status);
    }
    const std::map<std::string_view, int64_t> counts = CountStatuses(outcomes);

    cli::Report report;
    for (const AnnotationProblem& warning : outcomes.warnings) {
      report.warnings.push_back(files.Describe(warning));
    }
    summaries::Learn summary;
    summary.out = out_;
    summary.sites = static_cast<int64_t>(sites.size());
    summary.clusters = static_cast<int64_t>(statuses.size());
    summary.done = counts.at(LearnStatusName(LearnStatus::kDone));
    summary.needs_annotation =
        counts.at(LearnStatusName(LearnStatus::kNeedsAnnotation));
    summary.failed = counts.at(LearnStatusName(LearnStatus::kFailed));
    summary.ignored = counts.at(LearnStatusName(LearnStatus::kIgnored));
    summary.rules = outcomes.rules.rule_size();
    summary.annotated_pages = annotated_pages;
    summary.warnings = static_cast<int64_t>(outcomes.warnings.size());
    summary.counters = counters;
    for (size_t i = 0; i < std::min(statuses.size(), kClustersInReport); ++i) {
      summary.status.push_back(statuses[i]);
    }
    for (size_t i = 0; i < std::min(next.size(), kClustersInReport); ++i) {
      summary.next.push_back(next[i]->next_url);
    }
    *report.json = ToJson(summary);

    std::string& text = report.text;
    absl::StrAppendFormat(
        &text,
        "%s from %s; %s of %s: %d done, %d to annotate, %d failed, %d "
        "ignored\n",
        Counted(outcomes.rules.rule_size(), "rule"),
        Counted(annotated_pages, "annotated page"),
        Counted(static_cast<int64_t>(statuses.size()), "cluster"),
        Counted(static_cast<int64_t>(sites.size()), "site"), summary.done,
        summary.needs_annotation, summary.failed, summary.ignored);
    if (!outcomes.warnings.empty()) {
      absl::StrAppendFormat(
          &text, "%s\n",
          Counted(static_cast<int64_t>(outcomes.warnings.size()), "warning"));
    }
    for (const auto& [reason, count] : mr::RejectsByReason(counters)) {
      absl::StrAppendFormat(&text, "rejected, %s: %d\n", reason, count);
    }
    AppendStatuses(statuses, &text);
    if (!next.empty()) {
      StrAppend(&text, "annotate next:\n");
      for (size_t i = 0; i < std::min(next.size(), kClustersInReport); ++i) {
        StrAppend(&text, "  ", Printable(next[i]->next_url), "\n");
      }
      AppendRest(next.size(), &text);
    }
    StrAppend(&text, "rules: ", out_, "\n");
    return report;
  }

  static void AppendStatuses(const std::vector<ClusterStatus>& statuses,
                             std::string* text) {
    const size_t shown = std::min(statuses.size(), kClustersInReport);
    size_t width = 4;
    for (size_t i = 0; i < shown; ++i) {
      width = std::max(width, Printable(statuses[i].site).size());
    }
    absl::StrAppendFormat(text, "%-*s %-16s %-16s %9s  %s\n",
                          static_cast<int>(width), "site", "cluster", "status",
                          "annotated", "reason");
    for (size_t i = 0; i < shown; ++i) {
      const ClusterStatus& status = statuses[i];
      std::string reason = Printable(status.reason);
      if (!status.reused_from.empty()) {
        reason = StrCat("the rule ", status.reused_from,
                        reason.empty() ? "" : "; ", reason);
      }
      absl::StrAppendFormat(text, "%-*s %-16s %-16s %9d  %s\n",
                            static_cast<int>(width), Printable(status.site),
                            status.cluster_id, status.status,
                            status.annotated_pages, reason);
    }
    AppendRest(statuses.size(), text);
  }

  static void AppendRest(size_t count, std::string* text) {
    if (count > kClustersInReport) {
      StrAppend(text, "... and ", count - kClustersInReport, " more (",
                kStatusFile, " has all)\n");
    }
  }

  std::string samples_;
  std::vector<std::string> annotation_files_;
  std::string schema_file_;
  std::string sites_file_;
  std::string out_;
  bool force_ = false;
  int64_t num_reducers_ = 4;
  LearnStepSettings settings_;
  EngineFlags engine_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeLearnVerb() {
  return std::make_unique<LearnVerb>();
}

}  // namespace trommel

#include "jobs/summaries/learn.h"

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
#include "jobs/cli/text_table.h"
#include "jobs/engine/job_verb.h"
#include "jobs/learn/annotation_files.h"
#include "jobs/learn/findings_text.h"
#include "jobs/learn/learn_step.h"
#include "jobs/learn/outcomes_table.h"
#include "jobs/page/page_flags.h"
#include "jobs/registry.h"
#include "jobs/tables/rules_folder.h"
#include "jobs/tables/samples_table.h"
#include "jobs/tables/sites_file.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::learn_job {
namespace {

constexpr size_t kClustersInReport = 20;

constexpr learn::LearnStatus kAllStatuses[] = {
    learn::LearnStatus::kDone, learn::LearnStatus::kNeedsAnnotation,
    learn::LearnStatus::kFailed, learn::LearnStatus::kIgnored};

// All that the job came to.
struct Outcomes {
  proto::RuleSet rules;
  std::vector<tables::ClusterStatus> statuses;  // by site and cluster
  std::vector<annotation::AnnotationProblem> warnings;
};

class LearnVerb final : public engine::JobVerb {
 public:
  LearnVerb() : engine::JobVerb("learn", kLearnHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("samples", &samples_, "output of trommel sample")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags
        ->Texts("annotations", &annotation_files_,
                "what editors say of its pages (JSON lines)")
        .Input()
        .Required();
    flags->Text("schema", &schema_file_, "attributes to extract (textproto)")
        .Input()
        .Required()
        .Recorded();
    DefineOutputFlags(flags, "where the rules are written").Required();
    flags
        ->Text("sites", &sites_file_,
               "file with the sites to learn, one a line; without it all")
        .Input()
        .Recorded();
    settings_.Define(flags);
    DefineReducers(flags, "reduce tasks");
    page_.DefineForParsing(flags);
    DefineEngineFlags(flags);
  }

  absl::Status CheckFlags() const override {
    TROMMEL_RETURN_IF_ERROR(settings_.learner.Check());
    return engine::JobVerb::CheckFlags();
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeLearnStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    LearnInputs inputs;
    TROMMEL_ASSIGN_OR_RETURN(inputs.schema,
                             textproto::ReadSchemaFile(schema_file_));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path sample, io::ResolvePath(samples_));
    const io::Path samples = sample.Child(tables::kSamplesFolder);
    const io::Path clusters = sample.Child(tables::kSampledClustersFolder);
    inputs.samples = samples.Absolute();
    inputs.clusters = clusters.Absolute();
    TROMMEL_ASSIGN_OR_RETURN(const AnnotationFiles files,
                             AnnotationFiles::Read(annotation_files_));
    TROMMEL_RETURN_IF_ERROR(files.Check(inputs.schema, samples));
    if (!sites_file_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const auto known, tables::SitesOf(clusters));
      TROMMEL_ASSIGN_OR_RETURN(
          inputs.sites,
          tables::ReadSitesFile(sites_file_, known, "is in the sample"));
    }
    Outcomes outcomes;
    inputs.annotations = files.WithoutContradictions(&outcomes.warnings);

    TROMMEL_ASSIGN_OR_RETURN(
        engine::JobOutput output,
        RunJob(engine::Joined({{samples_}, annotation_files_}),
               {LearnSpec(inputs, settings_, page_, num_reducers())}));
    TROMMEL_RETURN_IF_ERROR(
        ReadOutcomes(output.staging().Child(kOutcomesFolder), &outcomes));
    TROMMEL_RETURN_IF_ERROR(output.RemoveFolder(kOutcomesFolder));
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<io::ShardInfo> rule_files,
        tables::WriteRulesFolder(output.staging(), &outcomes.rules,
                                 &outcomes.statuses));
    output.List("", std::move(rule_files));
    const mr::Counters counters = output.Counters();
    output.Count(counters);
    for (const auto& [status, count] : CountStatuses(outcomes)) {
      output.Count(StrCat("clusters.", status), count);
    }
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeReport(files, outcomes, counters);
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
    const auto key = [](const annotation::AnnotationProblem& problem) {
      return std::tie(problem.line, problem.message);
    };
    std::vector<annotation::AnnotationProblem>& warnings = outcomes->warnings;
    std::sort(warnings.begin(), warnings.end(),
              [&](const annotation::AnnotationProblem& a,
                  const annotation::AnnotationProblem& b) {
                return key(a) < key(b);
              });
    warnings.erase(std::unique(warnings.begin(), warnings.end(),
                               [&](const annotation::AnnotationProblem& a,
                                   const annotation::AnnotationProblem& b) {
                                 return key(a) == key(b);
                               }),
                   warnings.end());
    return absl::OkStatus();
  }

  static std::map<std::string_view, int64_t> CountStatuses(
      const Outcomes& outcomes) {
    std::map<std::string_view, int64_t> counts;
    for (const learn::LearnStatus status : kAllStatuses) {
      counts[learn::LearnStatusName(status)] = 0;
    }
    for (const tables::ClusterStatus& status : outcomes.statuses) {
      ++counts[status.status];
    }
    return counts;
  }

  cli::Report MakeReport(const AnnotationFiles& files, const Outcomes& outcomes,
                         const mr::Counters& counters) const {
    const std::vector<tables::ClusterStatus>& statuses = outcomes.statuses;
    std::set<std::string_view> sites;
    int64_t annotated_pages = 0;
    std::vector<const tables::ClusterStatus*> next;
    for (const tables::ClusterStatus& status : statuses) {
      sites.insert(status.site);
      annotated_pages += status.annotated_pages;
      if (!status.next_url.empty()) next.push_back(&status);
    }
    const std::map<std::string_view, int64_t> counts = CountStatuses(outcomes);

    cli::Report report;
    for (const annotation::AnnotationProblem& warning : outcomes.warnings) {
      report.warnings.push_back(files.Describe(warning));
    }
    summaries::Learn summary;
    summary.out = out();
    summary.sites = static_cast<int64_t>(sites.size());
    summary.clusters = static_cast<int64_t>(statuses.size());
    summary.done = counts.at(learn::LearnStatusName(learn::LearnStatus::kDone));
    summary.needs_annotation =
        counts.at(learn::LearnStatusName(learn::LearnStatus::kNeedsAnnotation));
    summary.failed =
        counts.at(learn::LearnStatusName(learn::LearnStatus::kFailed));
    summary.ignored =
        counts.at(learn::LearnStatusName(learn::LearnStatus::kIgnored));
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
    StrAppend(&text, engine::RejectLines(counters));
    AppendStatuses(statuses, &text);
    AppendFindings(statuses, &text);
    if (!next.empty()) {
      StrAppend(&text, "annotate next:\n");
      for (size_t i = 0; i < std::min(next.size(), kClustersInReport); ++i) {
        StrAppend(&text, "  ", Printable(next[i]->next_url), "\n");
      }
      AppendRest(next.size(), &text);
    }
    StrAppend(&text, "rules: ", out(), "\n");
    return report;
  }

  static void AppendStatuses(const std::vector<tables::ClusterStatus>& statuses,
                             std::string* text) {
    const size_t shown = std::min(statuses.size(), kClustersInReport);
    cli::TextTable table(
        {cli::TextTable::Left("site"), cli::TextTable::Left("cluster", 16),
         cli::TextTable::Left("status", 16), cli::TextTable::Right("annotated"),
         cli::TextTable::Left("reason", 0, /*gap=*/2)});
    for (size_t i = 0; i < shown; ++i) {
      const tables::ClusterStatus& status = statuses[i];
      std::string reason = status.reason;
      if (!status.reused_from.empty()) {
        reason = StrCat("the rule ", status.reused_from,
                        reason.empty() ? "" : "; ", reason);
      }
      table.Add(status.site, status.cluster_id, status.status,
                status.annotated_pages, reason);
    }
    StrAppend(text, table.Text());
    AppendRest(statuses.size(), text);
  }

  static void AppendFindings(const std::vector<tables::ClusterStatus>& statuses,
                             std::string* text) {
    size_t learnt = 0;
    for (const tables::ClusterStatus& status : statuses) {
      const std::string findings = FindingsText(status);
      if (findings.empty() || ++learnt > kClustersInReport) continue;
      StrAppend(text, findings);
    }
    AppendRest(learnt, text);
  }

  static void AppendRest(size_t count, std::string* text) {
    if (count > kClustersInReport) {
      StrAppend(text, "... and ", count - kClustersInReport, " more (",
                tables::kStatusFile, " has all)\n");
    }
  }

  std::string samples_;
  std::vector<std::string> annotation_files_;
  std::string schema_file_;
  std::string sites_file_;
  LearnStepSettings settings_;
  page::PageFlags page_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeLearnVerb() {
  return std::make_unique<LearnVerb>();
}

}  // namespace trommel::jobs::learn_job

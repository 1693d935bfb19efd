#include "jobs/extract/extract.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "jobs/engine/engine_flags.h"
#include "jobs/extract/extract_step.h"
#include "jobs/extract/figures.h"
#include "jobs/extract/report.h"
#include "jobs/tables/rule_files.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"

namespace trommel {
namespace {

class ExtractVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "extract"; }
  std::string_view summary() const override {
    return "apply rules to a crawl: every page becomes a record or a reject";
  }
  std::string_view description() const override {
    return "A page meets the rules of its site whose URL pattern matches; of "
           "these "
           "the rule of\nthe template that its structure puts it in extracts "
           "the "
           "record. Writes, for each\nschema of the rules, a table "
           "schema=NAME/ "
           "with one row per record:\n"
           "  url, site, cluster_id, rule_id, record_index, fetch_time, "
           "content_digest,\n  confidence (the least over the attributes with "
           "a "
           "value: the share of the rule's\n  alternatives that give it; 0.5 "
           "for "
           "a lone one), and the attributes: string, or\n  list<string> where "
           "repeated.\n"
           "All other pages are in _rejects/ (url, site, reason, detail):\n"
           "  no_rule            no rule is for the page's site\n"
           "  no_url_match       none of the site's has a URL pattern that "
           "matches; the page\n                     is not looked at\n"
           "  no_template        no template that has a rule and such a "
           "pattern "
           "takes the page\n"
           "  missing_mandatory  the rule does not find an attribute that "
           "every "
           "record has\n"
           "  empty              the page, or all that the rule finds, is "
           "empty\n"
           "  fetch_status, not_html, too_large, too_many_nodes, timeout, "
           "crashed\n                     the page is broken; "
           "--max-bad-fraction "
           "is about these\n"
           "_figures/ says per site and rule what became of the pages.\n\n"
           "With --since=RECORDS, pages that are there with the same URL, "
           "content "
           "and rule are\nskipped: counted, and in neither table. What comes "
           "out "
           "is what is new or changed;\ntogether with RECORDS it is the whole. "
           "Each task holds 8 bytes per earlier record.";
  }
  std::string_view example() const override {
    return "trommel extract --crawl=crawl --rules=rules --out=records";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl to extract from").Required();
    flags
        ->Texts("rules", &rules_, "output of trommel learn, or its rules.binpb")
        .Required();
    flags->Text("since", &since_,
                "records extracted earlier; unchanged pages are skipped");
    flags->Text("out", &out_, "where the records are written").Required();
    flags->Bool("force", &force_, "replace a finished output");
    flags->Bool("try-url-match", &settings_.try_url_match,
                "try a page that no template takes with the rules whose URL "
                "pattern matches; keep the record if every mandatory attribute "
                "(of a schema without: every attribute of the rule) is there");
    settings_.page.Define(flags);
    engine_.Define(flags);
  }

  absl::Status CheckFlags() const override { return engine_.Check(); }

  mr::StepRegistry MakeSteps() const override {
    mr::StepRegistry steps;
    steps.push_back(MakeExtractStep());
    return steps;
  }

  absl::StatusOr<cli::Report> Run() override {
    std::vector<io::Path> files;
    std::vector<std::string> file_names;
    for (const std::string& rules : rules_) {
      TROMMEL_ASSIGN_OR_RETURN(io::Path file, FindRulesFile(rules));
      file_names.push_back(file.Absolute());
      files.push_back(std::move(file));
    }
    std::string since;
    if (!since_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path records, io::ResolvePath(since_));
      TROMMEL_RETURN_IF_ERROR(io::ListTableFiles(records).status());
      since = records.Absolute();
    }
    TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules, ReadRuleFiles(files));
    TROMMEL_RETURN_IF_ERROR(CheckRules(rules));
    const std::map<std::string, proto::Schema> schemas = SchemasOf(rules);

    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> output,
                             engine_.CreateOutput(out_, force_));
    mr::Job job;
    job.name = name();
    job.steps = {ExtractSpec(crawls_, file_names, since, schemas, settings_)};
    TROMMEL_ASSIGN_OR_RETURN(mr::JobResult result,
                             engine_.Run(job, MakeSteps(), output.get()));
    Figures figures;
    TROMMEL_RETURN_IF_ERROR(
        SumFigures(output->staging(), &figures, &result.shards));

    io::Manifest manifest;
    manifest.verb = name();
    manifest.inputs = crawls_;
    manifest.inputs.insert(manifest.inputs.end(), rules_.begin(), rules_.end());
    manifest.flags = engine_.ManifestFlags();
    for (const auto& setting : settings_.page.Settings()) {
      manifest.flags.push_back(setting);
    }
    manifest.flags.emplace_back("try-url-match",
                                settings_.try_url_match ? "true" : "false");
    if (!since_.empty()) manifest.flags.emplace_back("since", since_);
    mr::Counters counters;
    for (const char* counter :
         {kPagesExtracted, kPagesSkipped, kRecordsWritten, kMatchedBySignature,
          kMatchedBySketch, kTriedByUrl, kKeptByUrl}) {
      counters[counter] = 0;
    }
    for (const auto& [counter, count] : result.steps[0].counters) {
      counters[counter] = count;
    }
    manifest.counts.assign(counters.begin(), counters.end());
    manifest.shards = result.shards;
    TROMMEL_RETURN_IF_ERROR(output->Commit(manifest));
    return MakeExtractReport(out_, counters, figures);
  }

 private:
  // Replaces the tasks' figures, which depend on splits, by their sums.
  static absl::Status SumFigures(const io::Path& staging, Figures* figures,
                                 std::vector<io::ShardInfo>* shards) {
    const io::Path of_tasks = staging.Child(kTaskFiguresFolder);
    TROMMEL_RETURN_IF_ERROR(figures->Read(of_tasks));
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowWriter> table,
        io::RowWriter::Create(staging.Child(kFiguresFolder), FiguresSchema(),
                              {}));
    TROMMEL_RETURN_IF_ERROR(figures->Write(table.get()));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::ShardInfo> sums,
                             table->Close());
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(of_tasks));
    const std::string prefix = StrCat(kTaskFiguresFolder, "/");
    shards->erase(std::remove_if(shards->begin(), shards->end(),
                                 [&](const io::ShardInfo& shard) {
                                   return shard.file.rfind(prefix, 0) == 0;
                                 }),
                  shards->end());
    for (io::ShardInfo shard : sums) {
      shard.file = StrCat(kFiguresFolder, "/", shard.file);
      shards->push_back(std::move(shard));
    }
    return absl::OkStatus();
  }

  std::vector<std::string> crawls_;
  std::vector<std::string> rules_;
  std::string since_;
  std::string out_;
  bool force_ = false;
  ExtractSettings settings_;
  EngineFlags engine_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeExtractVerb() {
  return std::make_unique<ExtractVerb>();
}

}  // namespace trommel

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "jobs/engine/job_verb.h"
#include "jobs/extract/extract_step.h"
#include "jobs/extract/report.h"
#include "jobs/registry.h"
#include "jobs/tables/extract_output.h"
#include "jobs/tables/figures_table.h"
#include "jobs/tables/rule_files.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/io/table_files.h"
#include "mapreduce/task/attempt.h"

namespace trommel::jobs::extract {
namespace {

class ExtractVerb final : public engine::JobVerb {
 public:
  ExtractVerb() : engine::JobVerb("extract", kExtractHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Texts("crawl", &crawls_, "crawl to extract from").Input().Required();
    flags
        ->Texts("rules", &rules_, "output of trommel learn, or its rules.binpb")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags
        ->Text("since", &since_,
               "earlier output, or its records/; unchanged pages are skipped")
        .Input()
        .Recorded(!since_.empty());
    DefineOutputFlags(flags, "where records, rejects and figures are written")
        .Required();
    settings_.Define(flags);
    DefineEngineFlags(flags);
  }

  mr::StepRegistry MakeSteps() const override {
    return engine::StepsOf(MakeExtractStep());
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Path> files,
                             tables::FindRulesFiles(rules_));
    std::string since;
    if (!since_.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(since_));
      TROMMEL_ASSIGN_OR_RETURN(const tables::ExtractOutput earlier,
                               tables::FindExtractOutput(path));
      TROMMEL_RETURN_IF_ERROR(io::ListTableFiles(earlier.records).status());
      since = earlier.records.Absolute();
    }
    TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules,
                             tables::ReadRuleFiles(files));
    TROMMEL_RETURN_IF_ERROR(tables::CheckRules(rules));
    const std::map<std::string, proto::Schema> schemas =
        tables::SchemasOf(rules);

    TROMMEL_ASSIGN_OR_RETURN(
        engine::JobOutput output,
        RunJob(engine::Joined({crawls_, rules_}),
               {ExtractSpec(crawls_, files, since, schemas, settings_)}));
    TROMMEL_RETURN_IF_ERROR(PlaceRejects(&output));
    tables::Figures figures;
    TROMMEL_RETURN_IF_ERROR(SumFigures(&output, &figures));
    const mr::Counters counters = output.Counters(
        {kPagesExtracted, kPagesSkipped, kRecordsWritten, kMatchedBySignature,
         kMatchedBySketch, kTriedByUrl, kKeptByUrl});
    output.Count(counters);
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeExtractReport(out(), counters, figures);
  }

 private:
  // Puts the rejects beside the records: here they are a result like these, and
  // there even if there are none. Elsewhere they are beside the matter.
  static absl::Status PlaceRejects(engine::JobOutput* output) {
    const io::Path place = output->staging().Child(tables::kRejectsFolder);
    const std::string prefix = StrCat(mr::kRejectsTable, "/");
    std::vector<io::ShardInfo> shards;
    for (io::ShardInfo shard : output->manifest().shards) {
      if (shard.file.rfind(prefix, 0) != 0) continue;
      shard.file.erase(0, prefix.size());
      shards.push_back(std::move(shard));
    }
    if (shards.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(
          const std::unique_ptr<io::RowWriter> table,
          io::RowWriter::Create(place, mr::RejectsSchema(), {}));
      TROMMEL_ASSIGN_OR_RETURN(shards, table->Close());
    } else {
      TROMMEL_RETURN_IF_ERROR(
          io::Rename(output->staging().Child(mr::kRejectsTable), place));
      TROMMEL_RETURN_IF_ERROR(output->RemoveFolder(mr::kRejectsTable));
    }
    output->List(tables::kRejectsFolder, std::move(shards));
    return absl::OkStatus();
  }

  // Replaces the tasks' figures, which depend on splits, by their sums.
  static absl::Status SumFigures(engine::JobOutput* output,
                                 tables::Figures* figures) {
    TROMMEL_RETURN_IF_ERROR(
        figures->Read(output->staging().Child(kTaskFiguresFolder)));
    TROMMEL_RETURN_IF_ERROR(output->RemoveFolder(kTaskFiguresFolder));
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowWriter> table,
        io::RowWriter::Create(output->staging().Child(tables::kFiguresFolder),
                              tables::FiguresSchema(), {}));
    TROMMEL_RETURN_IF_ERROR(figures->Write(table.get()));
    TROMMEL_ASSIGN_OR_RETURN(std::vector<io::ShardInfo> sums, table->Close());
    output->List(tables::kFiguresFolder, std::move(sums));
    return absl::OkStatus();
  }

  std::vector<std::string> crawls_;
  std::vector<std::string> rules_;
  std::string since_;
  ExtractSettings settings_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeExtractVerb() {
  return std::make_unique<ExtractVerb>();
}

}  // namespace trommel::jobs::extract

#include <google/protobuf/text_format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/hash.h"
#include "core/base/status.h"
#include "jobs/cli/text_table.h"
#include "jobs/output/verb_output.h"
#include "jobs/registry.h"
#include "jobs/textproto/textproto.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/progress.h"
#include "proto/web_spec.pb.h"
#include "synth/generator.h"
#include "synth/truth.h"

namespace trommel::jobs::generate {
namespace {

class GenerateVerb final : public cli::Verb {
 public:
  GenerateVerb() : Verb("generate", kGenerateHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("spec", &spec_, "the web to make, a textproto file")
        .Input()
        .Required();
    output_.Define(flags, "directory to write").Required();
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path spec_path, io::ResolvePath(spec_));
    TROMMEL_ASSIGN_OR_RETURN(const std::string spec_text,
                             io::ReadFile(spec_path));
    proto::WebSpec spec;
    TROMMEL_RETURN_IF_ERROR(textproto::ParseTextproto(spec_text, spec_, &spec));
    absl::StatusOr<synth::WebGenerator> generator =
        synth::WebGenerator::Create(spec);
    if (!generator.ok()) return Annotate(generator.status(), spec_);

    TROMMEL_ASSIGN_OR_RETURN(
        output::VerbOutput output,
        output::VerbOutput::Create(this, {spec_}, output_));
    const std::string digest = ContentDigest(spec_text);
    output.Record("spec_digest", digest);
    TROMMEL_RETURN_IF_ERROR(WriteSchemas(*generator, output.staging()));
    int64_t total = 0;
    for (int day = 0; day < generator->num_days(); ++day) {
      total += generator->NumPages(day);
    }
    Progress progress("generate", "pages", total);
    for (int day = 0; day < generator->num_days(); ++day) {
      TROMMEL_RETURN_IF_ERROR(
          WriteDay(*generator, day, digest, &progress, &output));
    }
    progress.Finish();
    output.Count("days", generator->num_days());
    output.Count("sites", static_cast<int64_t>(sites_.size()));
    output.Count("pages", num_pages_);
    output.Count("content_bytes", content_bytes_);
    output.Count("records", num_records_);
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeReport(output.manifest());
  }

 private:
  static absl::Status WriteSchemas(const synth::WebGenerator& generator,
                                   const io::Path& root) {
    const io::Path directory = root.Child("schemas");
    TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(directory));
    for (const proto::Schema& schema : generator.schemas()) {
      std::string text;
      google::protobuf::TextFormat::PrintToString(schema, &text);
      TROMMEL_RETURN_IF_ERROR(
          io::WriteFile(directory.Child(schema.name() + ".textproto"), text));
    }
    return absl::OkStatus();
  }

  absl::Status WriteDay(const synth::WebGenerator& generator, int day,
                        const std::string& spec_digest, Progress* progress,
                        output::VerbOutput* output) {
    const std::string folder = StrCat("day=", generator.DayName(day));
    const io::Path root = output->staging().Child(folder);
    const io::Path crawl = root.Child("crawl");
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::CrawlWriter> writer,
                             io::CrawlWriter::Create(crawl));
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::FileWriter> truth,
                             io::FileWriter::Create(root.Child("truth.jsonl")));
    synth::GeneratedPage page;
    int64_t rows = 0;
    for (int64_t i = 0; i < generator.NumPages(day); ++i) {
      generator.Generate(day, i, &page);
      TROMMEL_RETURN_IF_ERROR(
          writer->Append({page.url, page.html, page.fetch_time_ms * 1000, 200,
                          page.charset, "text/html", page.site}));
      TROMMEL_RETURN_IF_ERROR(truth->Write(synth::TruthJsonLines(page)));
      sites_.insert(page.site);
      ++templates_[page.template_name];
      num_records_ += static_cast<int64_t>(page.records.size());
      content_bytes_ += static_cast<int64_t>(page.html.size());
      ++rows;
      progress->Update(++num_pages_);
    }
    TROMMEL_RETURN_IF_ERROR(truth->Close());
    io::Manifest manifest;
    manifest.verb = name();
    manifest.inputs = {spec_};
    manifest.flags = {{"spec_digest", spec_digest},
                      {"day", generator.DayName(day)}};
    manifest.counts = {{"rows", rows}};
    TROMMEL_ASSIGN_OR_RETURN(manifest.shards, writer->Close());
    output->List(StrCat(folder, "/crawl"), manifest.shards);
    return io::WriteManifest(crawl, manifest);
  }

  cli::Report MakeReport(const io::Manifest& manifest) const {
    cli::Report report;
    (*report.json)["out"] = output_.out;
    for (const auto& [name, value] : manifest.counts) {
      (*report.json)[name] = value;
    }
    (*report.json)["pages_by_template"] = templates_;
    report.text = absl::StrFormat(
        "%s of %s over %s, %.1f MB, %s of truth\n", Counted(num_pages_, "page"),
        Counted(static_cast<int64_t>(sites_.size()), "site"),
        Counted(manifest.counts[0].second, "day"),
        static_cast<double>(content_bytes_) / 1e6,
        Counted(num_records_, "record"));
    cli::TextTable table(
        {cli::TextTable::Left(""), cli::TextTable::Left("", 12),
         cli::TextTable::Right("", 8), cli::TextTable::Left("")});
    for (const auto& [name, count] : templates_) {
      table.Add(" ", name, count, "pages");
    }
    StrAppend(&report.text, table.Text(), "web: ", output_.out, "\n");
    return report;
  }

  std::string spec_;
  output::OutputFlags output_;

  std::set<std::string> sites_;
  std::map<std::string, int64_t> templates_;
  int64_t num_pages_ = 0;
  int64_t num_records_ = 0;
  int64_t content_bytes_ = 0;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeGenerateVerb() {
  return std::make_unique<GenerateVerb>();
}

}  // namespace trommel::jobs::generate

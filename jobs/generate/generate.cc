#include "jobs/generate/generate.h"

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
#include "jobs/textproto/textproto.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/progress.h"
#include "proto/web_spec.pb.h"
#include "synth/generator.h"
#include "synth/truth.h"

namespace trommel {
namespace {

class GenerateVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "generate"; }
  std::string_view summary() const override {
    return "make a synthetic web with truth, for demos, tests and scale";
  }
  std::string_view description() const override {
    return "Reads a spec (textproto, message trommel.proto.WebSpec: sites, "
           "templates, pages,\ndays, changes, seed) and writes\n\n"
           "  OUT/day=YYYY-MM-DD/crawl/      the pages of that day, a crawl\n"
           "  OUT/day=YYYY-MM-DD/truth.jsonl what is on each of them\n"
           "  OUT/schemas/NAME.textproto     the schema of each vertical\n\n"
           "The same spec gives the same pages, byte for byte. Memory does not "
           "grow with the\nnumber of pages.";
  }
  std::string_view example() const override {
    return "trommel generate --spec=deploy/demo.textproto --out=web";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags->Text("spec", &spec_, "the web to make, a textproto file").Required();
    flags->Text("out", &out_, "directory to write").Required();
    flags->Bool("force", &force_, "replace a finished output");
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path spec_path, io::ResolvePath(spec_));
    TROMMEL_ASSIGN_OR_RETURN(const std::string spec_text,
                             io::ReadFile(spec_path));
    proto::WebSpec spec;
    TROMMEL_RETURN_IF_ERROR(ParseTextproto(spec_text, spec_, &spec));
    absl::StatusOr<synth::WebGenerator> generator =
        synth::WebGenerator::Create(spec);
    if (!generator.ok()) return Annotate(generator.status(), spec_);

    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> out,
                             io::OutputDir::Create(out_, force_));
    TROMMEL_RETURN_IF_ERROR(WriteSchemas(*generator, out->staging()));
    int64_t total = 0;
    for (int day = 0; day < generator->num_days(); ++day) {
      total += generator->NumPages(day);
    }
    Progress progress("generate", "pages", total);
    io::Manifest manifest;
    manifest.verb = "generate";
    manifest.inputs = {spec_};
    manifest.flags = {{"spec_digest", ContentDigest(spec_text)}};
    for (int day = 0; day < generator->num_days(); ++day) {
      TROMMEL_RETURN_IF_ERROR(
          WriteDay(*generator, day, out->staging(), &progress, &manifest));
    }
    progress.Finish();
    manifest.counts = {{"days", generator->num_days()},
                       {"sites", static_cast<int64_t>(sites_.size())},
                       {"pages", num_pages_},
                       {"content_bytes", content_bytes_},
                       {"records", num_records_}};
    TROMMEL_RETURN_IF_ERROR(out->Commit(manifest));
    return MakeReport(manifest);
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
                        const io::Path& root, Progress* progress,
                        io::Manifest* whole) {
    const std::string folder = StrCat("day=", generator.DayName(day));
    const io::Path crawl = root.Child(folder).Child("crawl");
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::CrawlWriter> writer,
                             io::CrawlWriter::Create(crawl));
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::FileWriter> truth,
        io::FileWriter::Create(root.Child(folder).Child("truth.jsonl")));
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
    manifest.verb = whole->verb;
    manifest.inputs = whole->inputs;
    manifest.flags = whole->flags;
    manifest.flags.emplace_back("day", generator.DayName(day));
    manifest.counts = {{"rows", rows}};
    TROMMEL_ASSIGN_OR_RETURN(manifest.shards, writer->Close());
    for (io::ShardInfo shard : manifest.shards) {
      shard.file = StrCat(folder, "/crawl/", shard.file);
      whole->shards.push_back(std::move(shard));
    }
    return io::WriteManifest(crawl, manifest);
  }

  cli::Report MakeReport(const io::Manifest& manifest) const {
    cli::Report report;
    (*report.json)["out"] = out_;
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
    for (const auto& [name, count] : templates_) {
      absl::StrAppendFormat(&report.text, "  %-12s %8d pages\n", name, count);
    }
    StrAppend(&report.text, "web: ", out_, "\n");
    return report;
  }

  std::string spec_;
  std::string out_;
  bool force_ = false;

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

}  // namespace trommel

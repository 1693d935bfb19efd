#include "jobs/export/export.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel {
namespace {

constexpr std::string_view kRulesFile = "rules.binpb";
constexpr std::string_view kXPathsFile = "xpaths.jsonl";

// The cluster names a file.
absl::Status CheckClusterId(const std::string& id) {
  bool fits = !id.empty() && id[0] != '.' && id[0] != '_';
  for (const char c : id) {
    fits &= (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
            (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
  }
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError(
      StrCat("cluster_id \"", id, "\" is no name for a file"));
}

class ExportVerb final : public cli::Verb {
 public:
  std::string_view name() const override { return "export"; }
  std::string_view summary() const override {
    return "write rules as XSLT stylesheets and plain XPaths";
  }
  std::string_view description() const override {
    return "Reads rules.binpb and writes\n\n"
           "  OUT/CLUSTER_ID.xslt  an XSLT 1.0 stylesheet for each rule\n"
           "  OUT/xpaths.jsonl     a line for each XPath: site, cluster_id, "
           "rule_id,\n"
           "                       attribute, alternative, xpath, and "
           "classifier, range and\n"
           "                       regex where the rule has them\n\n"
           "A stylesheet turns a page, as \"dom --xml\" writes it, into a "
           "<record> with the\nvalues that \"extract\" finds; --stringparam "
           "url URL adds its url. Classifiers,\nregexes and absolute links are "
           "beyond XSLT 1.0: the candidates, the whole text and\nthe link as "
           "it stands are given, and the stylesheet and the report say so.";
  }
  std::string_view example() const override {
    return "trommel export --rules=rules --out=xslt\n"
           "  trommel dom --xml page.html | xsltproc "
           "xslt/3cb2e03a9d6dd434.xslt -";
  }

  void DefineFlags(cli::Flags* flags) override {
    flags
        ->Text("rules", &rules_,
               "rules.binpb, or the directory that contains it")
        .Required();
    flags->Text("out", &out_, "directory to write").Required();
    flags->Bool("force", &force_, "replace a finished output");
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules, ReadRules());
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::OutputDir> out,
                             io::OutputDir::Create(out_, force_));
    io::Manifest manifest;
    manifest.verb = "export";
    manifest.inputs = {rules_};
    for (const proto::Rule& rule : rules.rule()) {
      TROMMEL_RETURN_IF_ERROR(AddRule(rule, out->staging(), &manifest));
    }
    TROMMEL_RETURN_IF_ERROR(WriteFile(out->staging(), std::string(kXPathsFile),
                                      xpaths_, num_xpaths_, &manifest));
    manifest.counts = {{"rules", rules.rule_size()},
                       {"xpaths", num_xpaths_},
                       {"omissions", static_cast<int64_t>(omissions_.size())}};
    TROMMEL_RETURN_IF_ERROR(out->Commit(manifest));
    return MakeReport(manifest);
  }

 private:
  absl::StatusOr<proto::RuleSet> ReadRules() const {
    TROMMEL_ASSIGN_OR_RETURN(io::Path path, io::ResolvePath(rules_));
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
    if (entry.kind == io::EntryKind::kDirectory) path = path.Child(kRulesFile);
    TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadFile(path));
    absl::StatusOr<proto::RuleSet> rules = DecodeRules(bytes);
    if (!rules.ok()) return Annotate(rules.status(), path.name);
    SortRules(&*rules);
    return rules;
  }

  absl::Status AddRule(const proto::Rule& rule, const io::Path& directory,
                       io::Manifest* manifest) {
    TROMMEL_RETURN_IF_ERROR(CheckClusterId(rule.cluster_id()));
    if (!clusters_.insert(rule.cluster_id()).second) {
      return absl::InvalidArgumentError(
          StrCat(rules_, " has two rules of cluster ", rule.cluster_id()));
    }
    const absl::StatusOr<std::unique_ptr<PageExtractor>> extractor =
        CompileRule(rule);
    if (!extractor.ok()) return Annotate(extractor.status(), rules_);
    TROMMEL_RETURN_IF_ERROR(
        AddStylesheet(rule, **extractor, directory, manifest));
    for (const ProgramPart& part : (*extractor)->Describe().parts) {
      nlohmann::ordered_json line = {{"site", rule.site()},
                                     {"cluster_id", rule.cluster_id()},
                                     {"rule_id", RuleId(rule)},
                                     {"attribute", part.attribute},
                                     {"alternative", part.number}};
      line.update(part.json);
      StrAppend(&xpaths_, line.dump(), "\n");
      ++num_xpaths_;
    }
    return absl::OkStatus();
  }

  absl::Status AddStylesheet(const proto::Rule& rule,
                             const PageExtractor& extractor,
                             const io::Path& directory,
                             io::Manifest* manifest) {
    const std::string file = StrCat(rule.cluster_id(), ".xslt");
    const absl::StatusOr<Stylesheet> stylesheet = extractor.MakeStylesheet();
    if (absl::IsUnimplemented(stylesheet.status())) {
      omissions_.push_back(StrCat(file, ": ", stylesheet.status().message()));
      return absl::OkStatus();
    }
    if (!stylesheet.ok()) return Annotate(stylesheet.status(), rules_);
    for (const std::string& omission : stylesheet->omissions) {
      omissions_.push_back(StrCat(file, ": ", omission));
    }
    ++num_stylesheets_;
    return WriteFile(directory, file, stylesheet->xslt, 1, manifest);
  }

  static absl::Status WriteFile(const io::Path& directory,
                                const std::string& file,
                                const std::string& bytes, int64_t num_rows,
                                io::Manifest* manifest) {
    TROMMEL_RETURN_IF_ERROR(io::WriteFile(directory.Child(file), bytes));
    manifest->shards.push_back({file, num_rows,
                                static_cast<int64_t>(bytes.size()),
                                ContentDigest(bytes)});
    return absl::OkStatus();
  }

  cli::Report MakeReport(const io::Manifest& manifest) const {
    cli::Report report;
    (*report.json)["out"] = out_;
    for (const auto& [name, value] : manifest.counts) {
      (*report.json)[name] = value;
    }
    (*report.json)["not_exported"] = omissions_;
    report.text = StrCat(Counted(num_stylesheets_, "stylesheet"), ", ",
                         Counted(num_xpaths_, "XPath"), "\n");
    for (const std::string& omission : omissions_) {
      StrAppend(&report.text, "not exported: ", omission, "\n");
    }
    StrAppend(&report.text, "stylesheets: ", out_, "\n");
    return report;
  }

  std::string rules_;
  std::string out_;
  bool force_ = false;

  std::set<std::string> clusters_;
  std::string xpaths_;
  int64_t num_stylesheets_ = 0;
  int64_t num_xpaths_ = 0;
  std::vector<std::string> omissions_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeExportVerb() {
  return std::make_unique<ExportVerb>();
}

}  // namespace trommel

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "core/base/json_fields.h"
#include "core/base/status.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "jobs/output/verb_output.h"
#include "jobs/registry.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::export_job {
namespace {

constexpr std::string_view kRulesFile = "rules.binpb";
constexpr char kXPathsFile[] = "xpaths.jsonl";

// The cluster names a file.
absl::Status CheckClusterId(const std::string& id) {
  bool fits = !id.empty() && id[0] != '.' && id[0] != '_';
  for (const char c : id) {
    fits &= absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
            c == '-' || c == '.';
  }
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError(
      StrCat("cluster_id \"", id, "\" is no name for a file"));
}

class ExportVerb final : public cli::Verb {
 public:
  ExportVerb() : Verb("export", kExportHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags
        ->Text("rules", &rules_,
               "rules.binpb, or the directory that contains it")
        .Input(cli::FolderReading::kByName)
        .Required();
    output_.Define(flags, "directory to write").Required();
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules, ReadRules());
    TROMMEL_ASSIGN_OR_RETURN(
        output::VerbOutput output,
        output::VerbOutput::Create(this, {rules_}, output_));
    for (const proto::Rule& rule : rules.rule()) {
      TROMMEL_RETURN_IF_ERROR(AddRule(rule, &output));
    }
    TROMMEL_RETURN_IF_ERROR(
        output.WriteFile(kXPathsFile, xpaths_, num_xpaths_));
    output.Count("rules", rules.rule_size());
    output.Count("xpaths", num_xpaths_);
    output.Count("omissions", static_cast<int64_t>(omissions_.size()));
    TROMMEL_RETURN_IF_ERROR(output.Commit());
    return MakeReport(output.manifest());
  }

 private:
  absl::StatusOr<proto::RuleSet> ReadRules() const {
    TROMMEL_ASSIGN_OR_RETURN(io::Path path, io::ResolvePath(rules_));
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
    if (entry.kind == io::EntryKind::kDirectory) path = path.Child(kRulesFile);
    TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadListedFile(path));
    absl::StatusOr<proto::RuleSet> rules = rule::DecodeRules(bytes);
    if (!rules.ok()) return Annotate(rules.status(), path.name);
    rule::SortRules(&*rules);
    return rules;
  }

  absl::Status AddRule(const proto::Rule& rule, output::VerbOutput* output) {
    TROMMEL_RETURN_IF_ERROR(CheckClusterId(rule.cluster_id()));
    if (!clusters_.insert(rule.cluster_id()).second) {
      return absl::InvalidArgumentError(
          StrCat(rules_, " has two rules of cluster ", rule.cluster_id()));
    }
    const absl::StatusOr<std::unique_ptr<rule::PageExtractor>> extractor =
        rule::CompileRule(rule);
    if (!extractor.ok()) return Annotate(extractor.status(), rules_);
    TROMMEL_RETURN_IF_ERROR(AddStylesheet(rule, **extractor, output));
    for (const rule::ProgramPart& part : (*extractor)->Describe().parts) {
      nlohmann::ordered_json line = {{"site", rule.site()},
                                     {"cluster_id", rule.cluster_id()},
                                     {"rule_id", rule::RuleId(rule)},
                                     {"attribute", part.attribute},
                                     {"alternative", part.number}};
      line.update(part.json);
      StrAppend(&xpaths_, JsonLineText(line), "\n");
      ++num_xpaths_;
    }
    return absl::OkStatus();
  }

  absl::Status AddStylesheet(const proto::Rule& rule,
                             const rule::PageExtractor& extractor,
                             output::VerbOutput* output) {
    const std::string file = StrCat(rule.cluster_id(), ".xslt");
    const absl::StatusOr<rule::Stylesheet> stylesheet =
        extractor.MakeStylesheet();
    if (absl::IsUnimplemented(stylesheet.status())) {
      omissions_.push_back(StrCat(file, ": ", stylesheet.status().message()));
      return absl::OkStatus();
    }
    if (!stylesheet.ok()) return Annotate(stylesheet.status(), rules_);
    for (const std::string& omission : stylesheet->omissions) {
      omissions_.push_back(StrCat(file, ": ", omission));
    }
    ++num_stylesheets_;
    return output->WriteFile(file, stylesheet->xslt, 1);
  }

  cli::Report MakeReport(const io::Manifest& manifest) const {
    cli::Report report;
    (*report.json)["out"] = output_.out;
    for (const auto& [name, value] : manifest.counts) {
      (*report.json)[name] = value;
    }
    (*report.json)["not_exported"] = omissions_;
    report.text = StrCat(Counted(num_stylesheets_, "stylesheet"), ", ",
                         Counted(num_xpaths_, "XPath"), "\n");
    for (const std::string& omission : omissions_) {
      StrAppend(&report.text, "not exported: ", omission, "\n");
    }
    StrAppend(&report.text, "stylesheets: ", output_.out, "\n");
    return report;
  }

  std::string rules_;
  output::OutputFlags output_;

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

}  // namespace trommel::jobs::export_job

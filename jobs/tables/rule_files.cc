#include "jobs/tables/rule_files.h"

#include <google/protobuf/util/message_differencer.h>

#include <utility>

#include "core/base/status.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"
#include "core/rule/rule_index.h"
#include "core/schema/schema.h"
#include "jobs/cli/settings.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::tables {
namespace {

constexpr char kRulesSideData[] = "rules-";  // and a number

struct RuleFileCount {
  int64_t num_files = 0;

  void Define(cli::Flags* flags) {
    flags->Integer("rule-files", &num_files, "how many there are");
  }
};

}  // namespace

absl::StatusOr<io::Path> FindRulesFile(std::string_view path_or_uri) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(path_or_uri));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
  if (entry.kind == io::EntryKind::kFile) return path;
  if (entry.kind == io::EntryKind::kNone) {
    return absl::NotFoundError(StrCat(path.name, " does not exist"));
  }
  const io::Path file = path.Child(kRulesFile);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry inside, io::Stat(file));
  if (inside.kind == io::EntryKind::kFile) return file;
  return absl::NotFoundError(StrCat(path.name, " has no ", kRulesFile));
}

absl::StatusOr<std::vector<io::Path>> FindRulesFiles(
    const std::vector<std::string>& paths_or_uris) {
  std::vector<io::Path> files;
  for (const std::string& path_or_uri : paths_or_uris) {
    TROMMEL_ASSIGN_OR_RETURN(io::Path file, FindRulesFile(path_or_uri));
    files.push_back(std::move(file));
  }
  return files;
}

absl::StatusOr<proto::RuleSet> ReadRuleFiles(const std::vector<io::Path>& files,
                                             RuleParts parts) {
  struct FoundSchema {
    proto::Schema schema;
    const io::Path* file;
  };
  std::map<std::string, const io::Path*> clusters;
  std::map<std::string, FoundSchema> schemas;
  proto::RuleSet all;
  for (const io::Path& file : files) {
    TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadListedFile(file));
    absl::StatusOr<proto::RuleSet> rules = rule::DecodeRules(bytes);
    if (!rules.ok()) return Annotate(rules.status(), file.name);
    for (proto::Rule& rule : *rules->mutable_rule()) {
      const auto [cluster, is_new] = clusters.emplace(rule.cluster_id(), &file);
      if (!is_new) {
        return absl::InvalidArgumentError(StrCat(
            "cluster ", rule.cluster_id(), " of ", rule.site(),
            " has a rule in ", cluster->second->name, " and in ", file.name));
      }
      const auto [known, is_new_schema] = schemas.try_emplace(
          rule.schema().name(), FoundSchema{rule.schema(), &file});
      if (is_new_schema) {
        if (const absl::Status status = schema::CheckSchema(rule.schema());
            !status.ok()) {
          return Annotate(status, file.name);
        }
      } else if (!google::protobuf::util::MessageDifferencer::Equals(
                     known->second.schema, rule.schema())) {
        return absl::InvalidArgumentError(
            StrCat("schema ", rule.schema().name(), " of ",
                   known->second.file->name, " differs from that of ",
                   file.name, " (cluster ", rule.cluster_id(), ")"));
      }
      rule.clear_sample_page();
      if (parts == RuleParts::kForRecords) rule.clear_bellwether();
      *all.add_rule() = std::move(rule);
    }
  }
  rule::SortRules(&all);
  return all;
}

absl::Status CheckRules(const proto::RuleSet& rules) {
  TROMMEL_RETURN_IF_ERROR(SiteRuleOf(rules).status());
  for (const proto::Rule& rule : rules.rule()) {
    TROMMEL_RETURN_IF_ERROR(rule::CompileRule(rule).status());
  }
  TROMMEL_ASSIGN_OR_RETURN(const rule::RuleIndex index,
                           rule::RuleIndex::Create(rules));
  return index.Check();
}

void AddRuleFiles(const std::vector<io::Path>& files, mr::StepSpec* spec) {
  for (size_t i = 0; i < files.size(); ++i) {
    spec->side_data.push_back(
        {StrCat(kRulesSideData, i), files[i].Absolute(), /*from_output=*/""});
  }
  cli::AddSettings(RuleFileCount{static_cast<int64_t>(files.size())}, spec);
}

absl::StatusOr<std::vector<io::Path>> RuleFilesOfTask(
    const mr::TaskContext& context) {
  TROMMEL_ASSIGN_OR_RETURN(const auto count,
                           cli::ReadSettings<RuleFileCount>(context));
  std::vector<io::Path> files;
  for (int64_t i = 0; i < count.num_files; ++i) {
    TROMMEL_ASSIGN_OR_RETURN(const std::string file,
                             context.SideDataPath(StrCat(kRulesSideData, i)));
    TROMMEL_ASSIGN_OR_RETURN(io::Path path, io::ResolvePath(file));
    files.push_back(std::move(path));
  }
  return files;
}

std::map<std::string, proto::Schema> SchemasOf(const proto::RuleSet& rules) {
  std::map<std::string, proto::Schema> schemas;
  for (const proto::Rule& rule : rules.rule()) {
    schemas.try_emplace(rule.schema().name(), rule.schema());
  }
  return schemas;
}

absl::StatusOr<SiteRule> SiteRuleOf(const proto::RuleSet& rules) {
  SiteRule all;
  for (int i = 0; i < rules.rule_size(); ++i) {
    const proto::Rule& rule = rules.rule(i);
    TROMMEL_ASSIGN_OR_RETURN(const SiteRule site_rule,
                             SiteRule::FromTable(rule.site_key(), rule.site()));
    if (i == 0) {
      all = site_rule;
    } else if (site_rule != all) {
      return absl::InvalidArgumentError(
          StrCat("rules assign pages to sites differently: that of cluster ",
                 rules.rule(0).cluster_id(), " by ", all.key(), " (",
                 rules.rule(0).site(), "), that of ", rule.cluster_id(), " by ",
                 site_rule.key(), " (", rule.site(), ")"));
    }
  }
  return all;
}

}  // namespace trommel::jobs::tables

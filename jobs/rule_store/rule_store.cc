#include "jobs/rule_store/rule_store.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/hash.h"
#include "core/base/json_digest.h"
#include "core/base/json_lines.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/rule/rule.h"
#include "jobs/tables/rule_files.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::rule_store {
namespace {

using nlohmann::ordered_json;

constexpr char kCurrentFile[] = "CURRENT";
constexpr char kVersionFile[] = "version.json";
constexpr char kProbationFile[] = "probation.binpb";
constexpr char kStatesFile[] = "states.jsonl";
constexpr char kDatesFolder[] = "dates";
constexpr char kPreviousKey[] = "previous";
constexpr char kDateEnding[] = ".json";

bool IsVersionName(std::string_view name) {
  return name.size() >= 7 && name[0] == 'v' &&
         std::all_of(name.begin() + 1, name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

std::string VersionName(int64_t number) {
  return absl::StrFormat("v%06d", number);
}

// Returns the object in a small file of the store.
absl::StatusOr<ordered_json> ReadJson(const io::Path& file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadListedFile(file));
  ordered_json json = ordered_json::parse(text, nullptr,
                                          /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return absl::DataLossError(StrCat(file.name, " is not a JSON object"));
  }
  TROMMEL_RETURN_IF_ERROR(Annotate(CheckJsonDigest(json), file.name));
  return json;
}

// Local files are replaced by one rename. HDFS does not rename onto a file; a
// reader that comes in between, or after a crash in between, finds none, which
// Current() knows to deal with.
absl::Status ReplaceFile(const io::Path& file, std::string_view bytes) {
  if (io::IsLocal(file)) return io::WriteFile(file, bytes);
  TROMMEL_RETURN_IF_ERROR(io::RemoveAll(file));
  return io::WriteFile(file, bytes);
}

absl::StatusOr<proto::RuleSet> ReadRules(const io::Path& file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadListedFile(file));
  absl::StatusOr<proto::RuleSet> rules = rule::DecodeRules(bytes);
  if (!rules.ok()) return Annotate(rules.status(), file.name);
  return rules;
}

// Adds the states of rules in service that have none: a former version wrote
// none down.
void AddMissingStates(const VersionInfo& info, StoredRules* content) {
  std::map<std::string, std::string> reasons;  // by cluster
  for (const tables::ClusterStatus& status : content->statuses) {
    reasons[status.cluster_id] = status.reason;
  }
  std::set<std::string> known;
  for (const RuleState& state : content->states) known.insert(state.rule_id);
  for (const proto::Rule& rule : content->rules.rule()) {
    if (!known.insert(rule::WholeRuleId(rule)).second) continue;
    RuleState& state = content->states.emplace_back();
    state.rule_id = rule::WholeRuleId(rule);
    state.site = rule.site();
    state.cluster_id = rule.cluster_id();
    state.state = RuleState::kInService;
    state.why = reasons[rule.cluster_id()];
    const auto date = info.cluster_dates.find(rule.site());
    if (date != info.cluster_dates.end()) state.cluster_date = date->second;
  }
}

// Writes a file of a version and returns what the manifest says of it.
absl::StatusOr<io::ShardInfo> WriteListed(const io::Path& folder,
                                          const char* name, int64_t num_rows,
                                          const std::string& bytes) {
  TROMMEL_RETURN_IF_ERROR(io::WriteFile(folder.Child(name), bytes));
  return io::ShardInfo{name, num_rows, static_cast<int64_t>(bytes.size()),
                       ContentDigest(bytes)};
}

}  // namespace

bool AreSame(const StoredRules& a, const StoredRules& b) {
  return rule::EncodeRules(a.rules) == rule::EncodeRules(b.rules) &&
         rule::EncodeRules(a.probation) == rule::EncodeRules(b.probation) &&
         a.states == b.states;
}

void VersionInfo::VisitFields(JsonFields* fields) {
  fields->Visit("version", &version);
  fields->Visit("made", &made);
  fields->Visit("date", &date);
  fields->Visit("base", &base);
  fields->Visit(kPreviousKey, &previous);
  fields->Visit("why", &why);
  fields->Visit("rules", &num_rules);
  fields->Visit("learnt", &learnt);
  fields->Visit("cluster_dates", &cluster_dates);
  fields->Visit("losses", &losses);
}

absl::StatusOr<RuleStore> RuleStore::Open(std::string_view path_or_uri) {
  TROMMEL_ASSIGN_OR_RETURN(io::Path folder, io::ResolvePath(path_or_uri));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(folder));
  if (entry.kind == io::EntryKind::kFile) {
    return absl::InvalidArgumentError(
        StrCat(folder.name, " is a file; a rule store is a folder"));
  }
  return RuleStore(std::move(folder));
}

io::Path RuleStore::DateFile(const std::string& date) const {
  return folder_.Child(kDatesFolder).Child(StrCat(date, kDateEnding));
}

absl::StatusOr<std::vector<std::string>> RuleStore::VersionNames() const {
  std::vector<std::string> names;
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry found, io::Stat(folder_));
  if (found.kind == io::EntryKind::kNone) return names;
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> entries,
                           io::ListDirectory(folder_, /*recursive=*/false));
  for (const io::Entry& entry : entries) {
    std::string name = entry.path.BaseName();
    if (entry.kind == io::EntryKind::kDirectory && IsVersionName(name)) {
      names.push_back(std::move(name));
    }
  }
  return names;  // sorted, as the entries are
}

absl::StatusOr<std::vector<VersionInfo>> RuleStore::List() const {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           VersionNames());
  std::vector<VersionInfo> versions;
  for (const std::string& name : names) {
    TROMMEL_ASSIGN_OR_RETURN(VersionInfo info, Info(name));
    versions.push_back(std::move(info));
  }
  return versions;
}

absl::StatusOr<VersionInfo> RuleStore::Info(const std::string& version) const {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           VersionNames());
  const auto named = std::find(names.begin(), names.end(), version);
  if (named == names.end()) {
    return absl::NotFoundError(
        StrCat(folder_.name, " has no version ", Printable(version),
               names.empty()
                   ? "; it has none yet"
                   : StrCat("; it has ", names.front(), " to ", names.back())));
  }
  const io::Path file = VersionFolder(version).Child(kVersionFile);
  TROMMEL_ASSIGN_OR_RETURN(ordered_json json, ReadJson(file));
  if (!json.contains(kPreviousKey)) {
    // The store is from before this was written down.
    json[kPreviousKey] =
        named == names.begin() ? std::string() : *std::prev(named);
  }
  for (const char* const later : {"cluster_dates", "losses"}) {
    if (!json.contains(later)) json[later] = ordered_json::object();
  }
  absl::StatusOr<VersionInfo> info = FromJson<VersionInfo>(json);
  if (!info.ok()) return Annotate(info.status(), file.name);
  return info;
}

absl::StatusOr<std::string> RuleStore::Current() const {
  const io::Path file = folder_.Child(kCurrentFile);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(file));
  if (entry.kind == io::EntryKind::kFile) {
    TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadFile(file, 100));
    const std::pair<std::string, std::string> words =
        absl::StrSplit(NormalizeSpace(text), absl::MaxSplits(' ', 1));
    const auto& [name, digest] = words;
    // Stores of earlier versions have no digest here.
    if (!digest.empty() && digest != ContentDigest(name)) {
      return absl::DataLossError(
          StrCat(file.name, " is damaged: it names ", Printable(name),
                 ", and its digest is that of another version"));
    }
    TROMMEL_RETURN_IF_ERROR(Annotate(Info(name).status(), file.name));
    return name;
  }
  // Where no publication has come so far as to name one, it is the latest.
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           VersionNames());
  return names.empty() ? std::string() : names.back();
}

absl::StatusOr<proto::RuleSet> RuleStore::Rules(
    const std::string& version) const {
  if (version.empty()) return proto::RuleSet();
  TROMMEL_RETURN_IF_ERROR(Info(version).status());
  return ReadRules(VersionFolder(version).Child(tables::kRulesFile));
}

io::Path RuleStore::ProbationFile(const std::string& version) const {
  return VersionFolder(version).Child(kProbationFile);
}

absl::StatusOr<StoredRules> RuleStore::Content(
    const std::string& version) const {
  StoredRules content;
  if (version.empty()) return content;
  TROMMEL_ASSIGN_OR_RETURN(const VersionInfo info, Info(version));
  const io::Path rules_file = VersionFolder(version).Child(tables::kRulesFile);
  TROMMEL_ASSIGN_OR_RETURN(content.rules, ReadRules(rules_file));
  TROMMEL_ASSIGN_OR_RETURN(content.statuses,
                           tables::ReadClusterStatuses(rules_file));
  const io::Path states_file = VersionFolder(version).Child(kStatesFile);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry found, io::Stat(states_file));
  if (found.kind == io::EntryKind::kNone) {
    AddMissingStates(info, &content);
    return content;
  }
  TROMMEL_ASSIGN_OR_RETURN(const std::string lines,
                           io::ReadListedFile(states_file));
  TROMMEL_ASSIGN_OR_RETURN(
      content.states,
      FromJsonLines<RuleState>(lines, states_file.name, "the state of a rule"));
  TROMMEL_ASSIGN_OR_RETURN(content.probation,
                           ReadRules(ProbationFile(version)));
  return content;
}

absl::StatusOr<std::vector<std::string>> RuleStore::Dates() const {
  std::vector<std::string> dates;
  const io::Path folder = folder_.Child(kDatesFolder);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry found, io::Stat(folder));
  if (found.kind == io::EntryKind::kNone) return dates;
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> entries,
                           io::ListDirectory(folder, /*recursive=*/false));
  constexpr size_t kEndingSize = sizeof(kDateEnding) - 1;
  for (const io::Entry& entry : entries) {
    const std::string name = entry.path.BaseName();
    if (io::IsHidden(name) || name.size() <= kEndingSize ||
        name.compare(name.size() - kEndingSize, kEndingSize, kDateEnding) !=
            0) {
      continue;
    }
    dates.push_back(name.substr(0, name.size() - kEndingSize));
  }
  return dates;
}

absl::StatusOr<std::string> RuleStore::LatestDate() const {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> dates, Dates());
  return dates.empty() ? std::string() : dates.back();
}

absl::StatusOr<std::optional<DateRecord>> RuleStore::RecordOf(
    const std::string& date) const {
  const io::Path file = DateFile(date);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry found, io::Stat(file));
  if (found.kind == io::EntryKind::kNone) return std::nullopt;
  TROMMEL_ASSIGN_OR_RETURN(const ordered_json json, ReadJson(file));
  absl::StatusOr<DateRecord> record = FromJson<DateRecord>(json);
  if (!record.ok()) return Annotate(record.status(), file.name);
  return *std::move(record);
}

absl::StatusOr<std::string> RuleStore::BaseOf(const std::string& date) const {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> dates, Dates());
  if (dates.empty() || date >= dates.back()) {
    TROMMEL_ASSIGN_OR_RETURN(std::string version, Current());
    while (!version.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const VersionInfo info, Info(version));
      if (info.date != date) break;
      version = info.base;
    }
    return version;
  }
  const auto after = std::upper_bound(dates.begin(), dates.end(), date);
  if (after == dates.begin()) return Current();
  TROMMEL_ASSIGN_OR_RETURN(const std::optional<DateRecord> record,
                           RecordOf(*std::prev(after)));
  if (!record.has_value()) return std::string();
  return record->date == date ? record->base : record->version;
}

absl::StatusOr<VersionInfo> RuleStore::Publish(VersionInfo info,
                                               StoredRules content) {
  rule::SortRules(&content.rules);
  rule::SortRules(&content.probation);
  AddMissingStates(info, &content);
  info.num_rules = content.rules.rule_size();
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           VersionNames());
  int64_t number = 1;
  if (!names.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const VersionInfo latest, Info(names.back()));
    TROMMEL_ASSIGN_OR_RETURN(const StoredRules same, Content(names.back()));
    if (latest.date == info.date && latest.base == info.base &&
        latest.why == info.why && AreSame(same, content)) {
      info = latest;
      number = 0;
    } else {
      number = std::stoll(names.back().substr(1)) + 1;
    }
  }
  if (number > 0) {
    TROMMEL_ASSIGN_OR_RETURN(info.previous, Current());
    info.version = VersionName(number);
    info.made = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(),
                                 absl::UTCTimeZone());
    TROMMEL_RETURN_IF_ERROR(WriteVersion(info, &content));
  }
  TROMMEL_RETURN_IF_ERROR(Serve(info.version));
  return info;
}

absl::Status RuleStore::WriteVersion(const VersionInfo& info,
                                     StoredRules* content) const {
  TROMMEL_ASSIGN_OR_RETURN(
      const std::unique_ptr<io::OutputDir> output,
      io::OutputDir::Create(folder_.Child(info.version).name,
                            /*force=*/false));
  const io::Path& staging = output->staging();
  io::Manifest manifest;
  manifest.verb = "rules";
  manifest.flags = {{"base", info.base}, {"date", info.date}};
  manifest.counts = {{"rules", info.num_rules}};
  TROMMEL_ASSIGN_OR_RETURN(
      manifest.shards,
      tables::WriteRulesFolder(staging, &content->rules, &content->statuses));
  TROMMEL_ASSIGN_OR_RETURN(
      manifest.shards.emplace_back(),
      WriteListed(staging, kVersionFile, 1, JsonFileText(ToJson(info))));
  TROMMEL_ASSIGN_OR_RETURN(
      manifest.shards.emplace_back(),
      WriteListed(staging, kProbationFile, content->probation.rule_size(),
                  rule::EncodeRules(content->probation)));
  TROMMEL_ASSIGN_OR_RETURN(
      manifest.shards.emplace_back(),
      WriteListed(staging, kStatesFile,
                  static_cast<int64_t>(content->states.size()),
                  ToJsonLines(content->states)));
  return output->Commit(manifest);
}

absl::Status RuleStore::Serve(const std::string& version) {
  return ReplaceFile(folder_.Child(kCurrentFile),
                     StrCat(version, " ", ContentDigest(version), "\n"));
}

absl::Status RuleStore::RecordDate(const DateRecord& record) {
  const io::Path file = DateFile(record.date);
  TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(file.Parent()));
  return ReplaceFile(file, JsonFileTextWithDigest(ToJson(record)));
}

}  // namespace trommel::jobs::rule_store

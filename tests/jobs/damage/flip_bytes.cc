// Damages files of outputs, one byte or one length at a time, and reads them as
// verbs do:
//
//   flip_bytes SEED EVERY_NTH FOLDER...
//
// In every folder and below, the tables, rules folders and rule stores are
// found and read. Then each of their files is damaged, manifests included: at
// every nth byte a byte is flipped, and the file is cut there. What follows is
// one of
//
//   noticed   an error that names the file
//   harmless  the same rows
//   silent    other rows, or an error that does not say which file it is
//
// and is counted by kind of file. The exit code is 1 if anything was silent.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/json_lines.h"
#include "core/base/random.h"
#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/rules_folder.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/table_files.h"

namespace trommel {
namespace {

namespace fs = std::filesystem;

std::string ReadBytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteBytes(const fs::path& file, std::string_view bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Something that is read as one, and what tells whether it is the same.
struct Unit {
  std::string kind;
  fs::path folder;
  std::function<absl::StatusOr<std::string>()> read;
  std::string digest;  // of what was read before any damage
};

// The columns of a table, each in the first type that can be read. None is
// required, so that a column whose name is damaged would be taken for absent.
absl::StatusOr<std::vector<io::ColumnRequest>> AllColumns(
    const io::Path& file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::TableReader> table,
                           io::TableReader::Open(file, {}, {}));
  std::vector<io::ColumnRequest> columns;
  for (const io::TableReader::FileColumn& column : table->columns()) {
    for (const io::ColumnType type :
         {io::ColumnType::kBytes, io::ColumnType::kInt64,
          io::ColumnType::kTimestamp, io::ColumnType::kBytesList,
          io::ColumnType::kInt64List}) {
      const io::ColumnRequest request = {column.name, type, false};
      if (!io::TableReader::Open(file, {request}, {}).ok()) continue;
      columns.push_back(request);
      break;
    }
  }
  return columns;
}

void AppendValue(const io::Row& row, size_t i, io::ColumnType type,
                 std::string* out) {
  if (row.is_null(i)) {
    StrAppend(out, "null\n");
  } else if (type == io::ColumnType::kBytes) {
    StrAppend(out, row.bytes(i).size(), ":", row.bytes(i), "\n");
  } else if (type == io::ColumnType::kInt64 ||
             type == io::ColumnType::kTimestamp) {
    StrAppend(out, row.int64(i), "\n");
  } else {
    for (int64_t k = 0; k < row.list_size(i); ++k) {
      if (type == io::ColumnType::kBytesList) {
        StrAppend(out, row.list_bytes(i, k).size(), ":", row.list_bytes(i, k),
                  ",");
      } else {
        StrAppend(out, row.list_int64(i, k), ",");
      }
    }
    StrAppend(out, "\n");
  }
}

absl::StatusOr<std::string> ReadTable(
    const io::Path& folder, const std::vector<io::ColumnRequest>& columns) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                           io::ListTableFiles(folder));
  std::string all;
  for (const io::Entry& file : files) {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::RowReader> rows,
                             io::RowReader::Open(file.path, columns, {}));
    io::Row row;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, rows->Next(&row));
      if (!more) break;
      for (size_t i = 0; i < columns.size(); ++i) {
        AppendValue(row, i, columns[i].type, &all);
      }
    }
  }
  return ContentDigest(all);
}

absl::StatusOr<std::string> ReadRules(const io::Path& folder) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path file,
                           jobs::tables::FindRulesFile(folder.name));
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules,
                           jobs::tables::ReadRuleFiles({file}));
  TROMMEL_ASSIGN_OR_RETURN(
      const std::vector<jobs::tables::ClusterStatus> statuses,
      jobs::tables::ReadClusterStatuses(file));
  std::string all = rule::EncodeRules(rules);
  for (const jobs::tables::ClusterStatus& status : statuses) {
    StrAppend(&all, jobs::tables::FormatClusterStatus(status), "\n");
  }
  return ContentDigest(all);
}

absl::StatusOr<std::string> ReadStore(const io::Path& folder) {
  TROMMEL_ASSIGN_OR_RETURN(const jobs::rule_store::RuleStore store,
                           jobs::rule_store::RuleStore::Open(folder.name));
  TROMMEL_ASSIGN_OR_RETURN(std::string all, store.Current());
  TROMMEL_ASSIGN_OR_RETURN(
      const std::vector<jobs::rule_store::VersionInfo> versions, store.List());
  for (const jobs::rule_store::VersionInfo& version : versions) {
    TROMMEL_ASSIGN_OR_RETURN(const jobs::rule_store::StoredRules content,
                             store.Content(version.version));
    StrAppend(
        &all, JsonLineText(ToJson(version)), rule::EncodeRules(content.rules),
        rule::EncodeRules(content.probation), ToJsonLines(content.states));
  }
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(folder.path) / "dates")) {
    if (io::IsHidden(entry.path().filename().string())) continue;
    TROMMEL_ASSIGN_OR_RETURN(const auto record,
                             store.RecordOf(entry.path().stem()));
    if (record.has_value()) StrAppend(&all, JsonLineText(ToJson(*record)));
  }
  return ContentDigest(all);
}

bool HasTableFile(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".parquet") return true;
  }
  return false;
}

absl::StatusOr<Unit> MakeUnit(
    std::string kind, const fs::path& folder,
    std::function<absl::StatusOr<std::string>()> read) {
  Unit unit = {std::move(kind), folder, std::move(read), ""};
  absl::StatusOr<std::string> digest = unit.read();
  if (!digest.ok()) return Annotate(digest.status(), folder.string());
  unit.digest = *std::move(digest);
  return unit;
}

absl::Status FindUnits(const fs::path& top, std::vector<Unit>* units) {
  std::vector<fs::path> folders = {top};
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(top)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path,
                             io::ResolvePath(folder.string()));
    if (HasTableFile(folder)) {
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                               io::ListTableFiles(path));
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::ColumnRequest> columns,
                               AllColumns(files.front().path));
      TROMMEL_ASSIGN_OR_RETURN(Unit unit,
                               MakeUnit("table", folder, [path, columns] {
                                 return ReadTable(path, columns);
                               }));
      units->push_back(std::move(unit));
    }
    if (fs::exists(folder / jobs::tables::kRulesFile)) {
      TROMMEL_ASSIGN_OR_RETURN(Unit unit, MakeUnit("rules", folder, [path] {
                                 return ReadRules(path);
                               }));
      units->push_back(std::move(unit));
    }
    if (fs::exists(folder / "CURRENT")) {
      TROMMEL_ASSIGN_OR_RETURN(Unit unit, MakeUnit("store", folder, [path] {
                                 return ReadStore(path);
                               }));
      units->push_back(std::move(unit));
    }
  }
  return absl::OkStatus();
}

bool IsBelow(const fs::path& path, const fs::path& folder) {
  return path == folder || path.string().rfind(folder.string() + "/", 0) == 0;
}

// A file to damage and what reads it.
struct Victim {
  fs::path file;
  std::vector<const Unit*> units;
};

// Files that decide rows, each with the units that may read it. A manifest is
// read for all that is below it, other files for what is in their folder.
std::vector<Victim> FindVictims(const fs::path& top,
                                const std::vector<Unit>& units) {
  std::vector<Victim> victims;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(top)) {
    const fs::path& file = entry.path();
    const std::string name = file.filename();
    const bool is_manifest = name == io::kSuccessFile;
    Victim victim = {file, {}};
    for (const Unit& unit : units) {
      const bool is_of_table =
          unit.kind == "table" && file.extension() == ".parquet";
      const bool is_of_rules =
          unit.kind == "rules" &&
          (name == jobs::tables::kRulesFile || name == "status.jsonl");
      const bool is_of_store =
          unit.kind == "store" &&
          (name == "CURRENT" || name == "version.json" ||
           (file.parent_path().filename() == "dates" && !io::IsHidden(name)));
      if ((is_manifest && IsBelow(unit.folder, file.parent_path())) ||
          ((is_of_table || is_of_rules) && file.parent_path() == unit.folder) ||
          (is_of_store && IsBelow(file, unit.folder))) {
        victim.units.push_back(&unit);
      }
    }
    if (entry.is_regular_file() && !victim.units.empty()) {
      victims.push_back(std::move(victim));
    }
  }
  std::sort(victims.begin(), victims.end(),
            [](const Victim& a, const Victim& b) { return a.file < b.file; });
  return victims;
}

struct Counts {
  int64_t noticed = 0;
  int64_t harmless = 0;
  int64_t silent = 0;
};

// What the damage of one file leads to, at worst.
void Judge(const Victim& victim, const std::string& damage, Counts* counts) {
  bool is_noticed = false;
  for (const Unit* const unit : victim.units) {
    const absl::StatusOr<std::string> digest = unit->read();
    if (digest.ok() && *digest == unit->digest) continue;
    is_noticed = true;
    if (!digest.ok() &&
        digest.status().message().find(victim.file.filename().string()) !=
            absl::string_view::npos) {
      continue;
    }
    ++counts->silent;
    std::printf("SILENT: %s: %s: %s: %s\n", victim.file.c_str(), damage.c_str(),
                unit->folder.c_str(), digest.status().ToString().c_str());
    return;
  }
  ++(is_noticed ? counts->noticed : counts->harmless);
}

std::string NameOfKind(const Victim& victim, const fs::path& top) {
  if (victim.file.extension() != ".parquet") return victim.file.filename();
  return fs::relative(victim.file.parent_path(), top);
}

int Run(uint64_t seed, uint64_t every_nth, const fs::path& top) {
  std::vector<Unit> units;
  if (const absl::Status status = FindUnits(top, &units); !status.ok()) {
    std::printf("%s\n", std::string(status.message()).c_str());
    return 1;
  }
  Random random(seed);
  std::map<std::string, Counts> flips;
  std::map<std::string, Counts> cuts;
  for (const Victim& victim : FindVictims(top, units)) {
    const std::string good = ReadBytes(victim.file);
    const std::string kind = NameOfKind(victim, top);
    for (uint64_t at = random.Below(every_nth); at < good.size();
         at += every_nth) {
      std::string bad = good;
      // Any single bit, or all of them.
      const uint64_t bit = random.Below(9);
      const char mask = static_cast<char>(bit == 8 ? 0xFF : 1u << bit);
      bad[at] = static_cast<char>(bad[at] ^ mask);
      WriteBytes(victim.file, bad);
      Judge(victim, StrCat("byte ", at, " flipped by ", int{mask}),
            &flips[kind]);
      WriteBytes(victim.file, std::string_view(good).substr(0, at));
      Judge(victim, StrCat("cut after ", at, " bytes"), &cuts[kind]);
    }
    WriteBytes(victim.file, good);
  }
  int64_t silent = 0;
  std::printf("%-44s %8s %8s %8s %8s\n", "file", "damage", "noticed",
              "harmless", "silent");
  for (const auto& [label, all] :
       {std::pair("flips", &flips), std::pair("cuts", &cuts)}) {
    Counts sum;
    const auto print = [damage = label](const std::string& name,
                                        const Counts& counts) {
      std::printf("%-44s %8s %8lld %8lld %8lld\n", name.c_str(), damage,
                  static_cast<long long>(counts.noticed),
                  static_cast<long long>(counts.harmless),
                  static_cast<long long>(counts.silent));
    };
    for (const auto& [name, counts] : *all) {
      print(name, counts);
      sum.noticed += counts.noticed;
      sum.harmless += counts.harmless;
      sum.silent += counts.silent;
    }
    print("all", sum);
    silent += sum.silent;
  }
  return silent == 0 ? 0 : 1;
}

}  // namespace
}  // namespace trommel

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: flip_bytes SEED EVERY_NTH FOLDER...\n");
    return 2;
  }
  int exit_code = 0;
  for (int i = 3; i < argc; ++i) {
    exit_code |= trommel::Run(std::strtoull(argv[1], nullptr, 10),
                              std::strtoull(argv[2], nullptr, 10), argv[i]);
  }
  return exit_code;
}

#include "jobs/tables/sites_file.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_split.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/table_files.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::tables {

absl::StatusOr<std::set<std::string, std::less<>>> SitesOf(
    const io::Path& table) {
  std::set<std::string, std::less<>> sites;
  TROMMEL_RETURN_IF_ERROR(io::VisitRows(
      table, {{"site", io::ColumnType::kBytes}}, [&](const io::Row& row) {
        if (sites.find(row.bytes(0)) == sites.end()) {
          sites.emplace(row.bytes(0));
        }
        return absl::OkStatus();
      }));
  return sites;
}

absl::StatusOr<WantedSites> ReadSitesFile(
    const std::string& name, const std::set<std::string, std::less<>>& known,
    std::string_view where) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(name));
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadFile(path));
  WantedSites wanted;
  std::string_view text = bytes;
  for (int64_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string site = NormalizeSpace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (site.empty() || site[0] == '#') continue;
    if (known.find(site) == known.end()) {
      return absl::InvalidArgumentError(StrCat(
          name, ":", number, ": no site \"", Printable(site), "\" ", where));
    }
    wanted.sites.insert(site);
  }
  if (wanted.sites.empty()) {
    return absl::InvalidArgumentError(StrCat(name, ": no site is named"));
  }
  return wanted;
}

absl::StatusOr<std::set<std::string>> ReadSiteLines(const io::Path& file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, io::ReadListedFile(file));
  std::set<std::string> sites;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    std::string site = NormalizeSpace(ToStd(line.substr(0, line.find('\t'))));
    if (!site.empty() && site[0] != '#') sites.insert(std::move(site));
  }
  return sites;
}

std::string FormatSitesFile(const std::set<std::string>& sites) {
  std::string text;
  for (const std::string& site : sites) StrAppend(&text, site, "\n");
  return text;
}

}  // namespace trommel::jobs::tables

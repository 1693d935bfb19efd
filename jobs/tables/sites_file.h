#ifndef TROMMEL_JOBS_TABLES_SITES_FILE_H_
#define TROMMEL_JOBS_TABLES_SITES_FILE_H_

// --sites=FILE: the sites that a verb is to deal with.

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "jobs/cli/flags.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::tables {

// The sites that a step deals with: all, if none is named.
struct WantedSites {
  std::set<std::string, std::less<>> sites;

  bool Contains(std::string_view site) const {
    return sites.empty() || sites.find(site) != sites.end();
  }
  void Define(cli::Flags* flags) {
    flags->Texts("sites", &sites, "sites to deal with; all, if none is named");
  }
};

// The sites that a table with a column `site` has.
absl::StatusOr<std::set<std::string, std::less<>>> SitesOf(
    const io::Path& table);

// One site a line; blank lines and those that begin with '#' do not count. A
// site that is not `known` is an error with its line, `where` says in which
// words: "is in the sample".
absl::StatusOr<WantedSites> ReadSitesFile(
    const std::string& name, const std::set<std::string, std::less<>>& known,
    std::string_view where);

// The same, of a file that a verb wrote: all sites are taken as they are, and
// there may be none. What stands behind a tab is for people.
absl::StatusOr<std::set<std::string>> ReadSiteLines(const io::Path& file);

// The other direction.
std::string FormatSitesFile(const std::set<std::string>& sites);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_SITES_FILE_H_

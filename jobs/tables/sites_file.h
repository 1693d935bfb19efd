#ifndef TROMMEL_JOBS_TABLES_SITES_FILE_H_
#define TROMMEL_JOBS_TABLES_SITES_FILE_H_

// A choice of sites: a text file with one site a line. Blank lines and those
// that begin with '#' do not count.

#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel {

// The sites that a table has in its column `site`.
absl::StatusOr<std::set<std::string, std::less<>>> SitesOfTable(
    const io::Path& table);

// A site that is not in `known` is an error that names file and line; `where`
// says what the known ones are of ("the sample").
absl::StatusOr<std::set<std::string>> ReadSitesFile(
    const std::string& name, const std::set<std::string, std::less<>>& known,
    std::string_view where);

// The other direction.
std::string FormatSitesFile(const std::set<std::string>& sites);

}  // namespace trommel

#endif  // TROMMEL_JOBS_TABLES_SITES_FILE_H_

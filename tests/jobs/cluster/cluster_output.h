#ifndef TROMMEL_TESTS_JOBS_CLUSTER_CLUSTER_OUTPUT_H_
#define TROMMEL_TESTS_JOBS_CLUSTER_CLUSTER_OUTPUT_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "jobs/tables/clusters_table.h"
#include "tests/testing/table_rows.h"

namespace trommel::testing_support {

inline std::vector<TextRow> ReadAssignments(const std::string& out) {
  return ReadTable(out + "/assignments",
                   {{"url", io::ColumnType::kBytes},
                    {"site", io::ColumnType::kBytes},
                    {"signature", io::ColumnType::kBytes},
                    {"cluster_id", io::ColumnType::kBytes},
                    {"by", io::ColumnType::kBytes}});
}

inline std::vector<TextRow> ReadClusters(const std::string& out) {
  std::vector<io::ColumnRequest> columns = jobs::tables::ClustersColumns();
  columns.push_back({"importance", io::ColumnType::kInt64});
  return ReadTable(out + "/clusters", columns);
}

// How well clusters agree with the true classes of their pages.
struct Quality {
  int64_t pages = 0;
  int64_t covered = 0;
  int64_t pure = 0;  // covered pages of the class that their cluster has most
  size_t clusters = 0;
  std::map<std::string, int> clusters_of_class;  // by most frequent class

  double Purity() const { return Share(pure, covered); }
  double Coverage() const { return Share(covered, pages); }
  int MostClustersOfAClass() const {
    int most = 0;
    for (const auto& [name, count] : clusters_of_class) {
      most = std::max(most, count);
    }
    return most;
  }

 private:
  static double Share(int64_t part, int64_t whole) {
    return whole == 0 ? 0
                      : static_cast<double>(part) / static_cast<double>(whole);
  }
};

// `class_of` maps a URL to its class.
template <typename ClassOf>
Quality Measure(const std::vector<TextRow>& assignments, ClassOf class_of) {
  Quality quality;
  std::map<std::string, std::map<std::string, int64_t>> classes;
  for (const TextRow& row : assignments) {
    ++quality.pages;
    if (row.at("cluster_id") == "null") continue;
    ++quality.covered;
    ++classes[row.at("cluster_id")][class_of(row.at("url"))];
  }
  quality.clusters = classes.size();
  for (const auto& [cluster, counts] : classes) {
    const auto most = std::max_element(
        counts.begin(), counts.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    quality.pure += most->second;
    ++quality.clusters_of_class[most->first];
  }
  return quality;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_JOBS_CLUSTER_CLUSTER_OUTPUT_H_

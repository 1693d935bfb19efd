// write_rules CLUSTERS SCHEMA OUT URL ATTRIBUTE=XPATH...: rules for the
// clusters (of a table) whose URL pattern contains URL, for tests that need no
// learning.

#include <cstdio>
#include <string>

#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"
#include "tests/jobs/extract/cluster_rules.h"

namespace trommel::jobs::extract {
namespace {

absl::Status Write(const std::vector<std::string>& arguments) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path clusters,
                           io::ResolvePath(arguments[0]));
  TROMMEL_ASSIGN_OR_RETURN(const proto::Schema schema,
                           textproto::ReadSchemaFile(arguments[1]));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path out, io::ResolvePath(arguments[2]));
  testing_support::AttributePaths paths;
  for (size_t i = 4; i < arguments.size(); ++i) {
    const size_t equals = arguments[i].find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(arguments[i]);
    }
    paths[arguments[i].substr(0, equals)].push_back(
        arguments[i].substr(equals + 1));
  }
  proto::RuleSet rules;
  TROMMEL_RETURN_IF_ERROR(testing_support::AddClusterRules(
      clusters, schema, paths,
      [&](const tables::ClusterRow& cluster) {
        return cluster.url_regex.find(arguments[3]) != std::string::npos;
      },
      &rules));
  return io::WriteFile(out, rule::EncodeRules(rules));
}

}  // namespace
}  // namespace trommel::jobs::extract

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr,
                 "write_rules CLUSTERS SCHEMA OUT URL ATTRIBUTE=XPATH...\n");
    return 2;
  }
  const absl::Status status = trommel::jobs::extract::Write(
      std::vector<std::string>(argv + 1, argv + argc));
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}

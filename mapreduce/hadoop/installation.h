#ifndef TROMMEL_MAPREDUCE_HADOOP_INSTALLATION_H_
#define TROMMEL_MAPREDUCE_HADOOP_INSTALLATION_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/process/command.h"

namespace trommel::mr {

// A Hadoop 3 installation on this machine and the configuration of the cluster
// it talks to.
class HadoopInstallation {
 public:
  // The installation is looked for in HADOOP_HOME and beside the `mapred`
  // command on the PATH, its configuration in HADOOP_CONF_DIR and in etc/hadoop
  // of the installation. The error says what to set.
  static absl::StatusOr<HadoopInstallation> Find();

  const std::string& home() const { return home_; }
  const std::string& conf() const { return conf_; }

  // Runs one of its commands: hadoop, mapred or yarn.
  absl::StatusOr<CommandOutput> Run(const std::string& command,
                                    const std::vector<std::string>& arguments,
                                    int timeout_s) const;

  // The file libhdfs.so: the installation's, or else the one that came with
  // this program; empty when neither has one.
  std::string LibHdfs() const;

 private:
  std::string home_;
  std::string conf_;
  std::map<std::string, std::string> commands_;  // by name, their files
};

// Makes hdfs: URIs work in this process, which takes a Java machine and
// Hadoop's class path: those of the installation, unless the environment has
// them already, as it has inside a task. Does its work once.
absl::Status PrepareHdfs();

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_HADOOP_INSTALLATION_H_

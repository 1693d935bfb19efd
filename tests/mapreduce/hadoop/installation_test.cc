#include "mapreduce/hadoop/installation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

// Each test sees an environment without Hadoop, or with its own.
class Installation : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("HADOOP_HOME");
    ::unsetenv("HADOOP_CONF_DIR");
    ::setenv("PATH", "/nowhere", 1);
  }
  void MakeCommands() {
    for (const char* const command : {"hadoop", "mapred", "yarn"}) {
      WriteWholeFile(temp_ / (std::string("bin/") + command),
                     "#!/bin/sh\necho \"$HADOOP_CONF_DIR:$*\"\n");
      std::filesystem::permissions(temp_ / (std::string("bin/") + command),
                                   std::filesystem::perms::owner_all);
    }
  }
  void MakeConf(const std::string& name) {
    WriteWholeFile(temp_ / (name + "/core-site.xml"), "<configuration/>");
  }
  static std::string Error() {
    const absl::StatusOr<HadoopInstallation> found = HadoopInstallation::Find();
    return found.ok() ? "found" : std::string(found.status().message());
  }

  TempDir temp_;
};

TEST_F(Installation, MissingHadoopSaysWhatToSet) {
  EXPECT_THAT(Error(),
              AllOf(HasSubstr("HADOOP_HOME"), HasSubstr("--hadoop-home"),
                    HasSubstr("deploy/pseudo-cluster up")));
}

TEST_F(Installation, FolderWithoutHadoopIsNamed) {
  ::setenv("HADOOP_HOME", temp_.path().c_str(), 1);
  EXPECT_THAT(Error(), AllOf(HasSubstr(temp_.path()), HasSubstr("bin/hadoop")));
}

TEST_F(Installation, MissingConfigurationIsNamed) {
  MakeCommands();
  ::setenv("HADOOP_HOME", temp_.path().c_str(), 1);
  EXPECT_THAT(Error(), AllOf(HasSubstr("etc/hadoop"), HasSubstr("core-site"),
                             HasSubstr("--hadoop-conf")));
}

TEST_F(Installation, FoundByHomeAndByPath) {
  MakeCommands();
  MakeConf("etc/hadoop");
  ::setenv("HADOOP_HOME", temp_.path().c_str(), 1);
  absl::StatusOr<HadoopInstallation> found = HadoopInstallation::Find();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->home(), temp_.path());
  EXPECT_EQ(found->conf(), temp_ / "etc/hadoop");

  ::unsetenv("HADOOP_HOME");
  ::setenv("PATH", ("/nowhere:" + (temp_ / "bin")).c_str(), 1);
  found = HadoopInstallation::Find();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->conf(), temp_ / "etc/hadoop");
}

TEST_F(Installation, CommandsSeeTheConfiguration) {
  MakeCommands();
  MakeConf("other");
  ::setenv("HADOOP_HOME", temp_.path().c_str(), 1);
  ::setenv("HADOOP_CONF_DIR", (temp_ / "other").c_str(), 1);
  const absl::StatusOr<HadoopInstallation> found = HadoopInstallation::Find();
  ASSERT_TRUE(found.ok()) << found.status();
  const absl::StatusOr<CommandOutput> output =
      found->Run("mapred", {"job", "-list"}, 10);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->out, (temp_ / "other") + ":job -list\n");
}

}  // namespace
}  // namespace trommel::mr

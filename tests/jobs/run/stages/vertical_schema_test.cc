#include "jobs/run/stages/vertical_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::stages {
namespace {

using testing::HasSubstr;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

TEST(VerticalSchema, ErrorsNameVerticalAndFile) {
  const TempDir temp;
  proto::Vertical vertical;
  vertical.set_name("movie");
  vertical.set_schema(temp / "movie.textproto");
  WriteWholeFile(vertical.schema(),
                 "name: 'movie' attribute { name: 'title' }");
  EXPECT_TRUE(CheckSchemaOf(vertical).ok());
  WriteWholeFile(vertical.schema(), "nam: 'movie'");
  EXPECT_THAT(std::string(CheckSchemaOf(vertical).message()),
              testing::AllOf(HasSubstr("vertical \"movie\": schema: "),
                             HasSubstr("movie.textproto:1:")));
  // A pipeline's records have a column of this name.
  WriteWholeFile(vertical.schema(), "name: 'movie' attribute { name: 'date' }");
  EXPECT_THAT(std::string(CheckSchemaOf(vertical).message()),
              testing::AllOf(HasSubstr("vertical \"movie\": schema: "),
                             HasSubstr("the attribute date is called like")));
  vertical.set_schema(temp / "none.textproto");
  EXPECT_THAT(std::string(CheckSchemaOf(vertical).message()),
              HasSubstr("none.textproto does not exist"));
}

}  // namespace
}  // namespace trommel::jobs::run::stages

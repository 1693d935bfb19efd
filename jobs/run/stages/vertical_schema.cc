#include "jobs/run/stages/vertical_schema.h"

#include "absl/strings/match.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::stages {
namespace {

// Readers make it of the folders date=DATE.
constexpr char kDateColumn[] = "date";

}  // namespace

absl::Status CheckSchemaOf(const proto::Vertical& vertical) {
  const std::string named =
      StrCat("vertical \"", vertical.name(), "\": schema");
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path,
                           io::ResolvePath(vertical.schema()));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
  if (entry.kind == io::EntryKind::kNone) {
    return absl::NotFoundError(
        StrCat(named, ": ", vertical.schema(),
               " does not exist; put it there, or correct the pipeline"));
  }
  const absl::StatusOr<proto::Schema> schema =
      textproto::ReadSchemaFile(vertical.schema());
  if (!schema.ok()) return Annotate(schema.status(), named);
  for (const proto::Attribute& attribute : schema->attribute()) {
    if (!absl::EqualsIgnoreCase(attribute.name(), kDateColumn)) continue;
    return absl::InvalidArgumentError(StrCat(
        named, ": ", vertical.schema(), ": the attribute ", attribute.name(),
        " is called like the column of a pipeline's records that has "
        "the date of the crawl; give it another name"));
  }
  return absl::OkStatus();
}

}  // namespace trommel::jobs::run::stages

#include "jobs/run/stages/vertical_schema.h"

#include "core/base/status.h"
#include "core/base/strings.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::stages {

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
  const absl::Status status =
      textproto::ReadSchemaFile(vertical.schema()).status();
  return status.ok() ? status : Annotate(status, named);
}

}  // namespace trommel::jobs::run::stages

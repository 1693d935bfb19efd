#include "jobs/textproto/schema_file.h"

#include "core/base/status.h"
#include "core/schema/schema.h"
#include "jobs/textproto/textproto.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::textproto {

absl::StatusOr<proto::Schema> ReadSchemaFile(std::string_view path_or_uri) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(path_or_uri));
  constexpr size_t kMaxBytes = size_t{1} << 20;
  TROMMEL_ASSIGN_OR_RETURN(const std::string text,
                           io::ReadFile(path, kMaxBytes));
  proto::Schema schema;
  TROMMEL_RETURN_IF_ERROR(ParseTextproto(text, path.name, &schema));
  const absl::Status status = schema::CheckSchema(schema);
  if (!status.ok()) return Annotate(status, path.name);
  return schema;
}

}  // namespace trommel::jobs::textproto

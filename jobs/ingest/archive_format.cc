#include "jobs/ingest/archive_format.h"

#include <memory>
#include <string>
#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/compress/decompress.h"

namespace trommel::jobs::ingest {
namespace {

// So much shows the names of the first members of a zip file.
constexpr size_t kFirstBytes = 4096;

// The beginning of a file, or of what it decompresses to. Damage is for the
// reader of records to report.
absl::StatusOr<std::string> FirstBytes(const io::Path& file) {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> bytes,
                           io::OpenByteSource(file));
  compress::DecompressingSource source(std::move(bytes));
  std::string first(kFirstBytes, '\0');
  size_t size = 0;
  while (size < first.size()) {
    const absl::StatusOr<size_t> count =
        source.Read(first.data() + size, first.size() - size);
    if (!count.ok() || *count == 0) break;
    size += *count;
  }
  first.resize(size);
  return first;
}

// A WACZ file is a zip file with these members.
bool IsWacz(std::string_view zip) {
  for (const std::string_view member :
       {"datapackage.json", "archive/", "pages/pages.jsonl"}) {
    if (zip.find(member) != std::string_view::npos) return true;
  }
  return false;
}

// What is wrong with a file that begins so; empty: nothing that is known.
std::string_view WhyNotWarc(std::string_view first) {
  if (first.starts_with("filedesc://")) {
    return "an ARC file, the format before WARC; convert it first, for "
           "instance with warcio recompress";
  }
  if (first.starts_with("PK\x03\x04") || first.starts_with("PK\x05\x06")) {
    return IsWacz(first) ? "a WACZ file; unzip it and give the WARC files in "
                           "its folder archive/"
                         : "a zip file; unzip it and give what is in it";
  }
  if (first.starts_with("PAR1")) {
    return "a Parquet file; a crawl in Parquet needs no ingest, give it to "
           "--crawl";
  }
  if (first.starts_with("BZh")) return "compressed by bzip2; unpack it first";
  if (first.starts_with("\xFD"
                        "7zXZ")) {
    return "compressed by xz; unpack it first";
  }
  if (first.starts_with("7z\xBC\xAF")) return "a 7z file; unpack it first";
  if (first.starts_with("{\"")) return "JSON; lines of it are --from=jsonl";
  return {};
}

}  // namespace

absl::Status CheckMayBeWarc(const io::Path& file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string first, FirstBytes(file));
  const std::string_view why = WhyNotWarc(first);
  if (why.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      StrCat(file.name, " is not a WARC file but ", why));
}

}  // namespace trommel::jobs::ingest

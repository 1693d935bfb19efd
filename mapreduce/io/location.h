#ifndef TROMMEL_MAPREDUCE_IO_LOCATION_H_
#define TROMMEL_MAPREDUCE_IO_LOCATION_H_

// Where paths lead, for those who must know whether two of them meet: before
// a folder is replaced, nothing that is still to be read may be in it.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace trommel::io {

// The place that a path names, in the one spelling that all names of it share:
// absolute, without links, "." and "..", and be it a path or a file: URI.
// Nothing is opened and no cluster is asked.
//
// All of HDFS is one file system here. A cluster has several names (that of a
// NameNode, with and without its port, that of the nameservice, none at all),
// and only its configuration knows that they are one; that two clusters have
// the same path is the lesser evil.
class Location {
 public:
  static absl::StatusOr<Location> Of(std::string_view path_or_uri);

  // Whether `other` is this place, or lies below it.
  bool Contains(const Location& other) const;
  bool operator==(const Location&) const = default;

  std::string BaseName() const { return path_.substr(path_.rfind('/') + 1); }
  // Of the folder that `other` is in, the name of the entry that leads to this
  // place; empty when this place is elsewhere.
  std::string EntryBeside(const Location& other) const;

  // A link in this folder, or in what its links lead to, that leads to
  // `target`, into it, or to a folder around it: whoever reads all of this
  // folder reads there, too. None where there is no target. Local file systems
  // only; others have no links.
  std::optional<std::string> FindLinkTo(const Location& target) const;

 private:
  enum class FileSystem { kLocal, kHdfs };

  Location(FileSystem file_system, std::string path)
      : file_system_(file_system), path_(std::move(path)) {}

  FileSystem file_system_;
  std::string path_;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_LOCATION_H_

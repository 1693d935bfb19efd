#include "mapreduce/io/path.h"

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/base/status.h"
#include "mapreduce/io/arrow_status.h"
#include "mapreduce/io/hdfs.h"

namespace trommel::io {
namespace {

// "a" and "b" as "a/b"; the root needs no further slash.
std::string Join(std::string_view directory, std::string_view entry) {
  return StrCat(directory, directory == "/" ? "" : "/", entry);
}

constexpr std::string_view kFile = "file";
constexpr std::string_view kHdfs = "hdfs";
constexpr std::string_view kViewfs = "viewfs";

// "hdfs" of "hdfs://host/x". A local path has none, be it with a colon in it.
std::string_view SchemeOf(std::string_view path_or_uri) {
  const size_t end = path_or_uri.find("://");
  if (end == std::string_view::npos) return {};
  const std::string_view scheme = path_or_uri.substr(0, end);
  const bool is_scheme =
      !scheme.empty() && absl::ascii_isalpha(scheme[0]) &&
      std::all_of(scheme.begin(), scheme.end(), [](char c) {
        return absl::ascii_isalnum(c) || c == '+' || c == '-' || c == '.';
      });
  return is_scheme ? scheme : std::string_view();
}

EntryKind KindOf(const arrow::fs::FileInfo& info) {
  switch (info.type()) {
    case arrow::fs::FileType::File:
      return EntryKind::kFile;
    case arrow::fs::FileType::Directory:
      return EntryKind::kDirectory;
    case arrow::fs::FileType::Unknown:  // a pipe or device: can be read
      return EntryKind::kFile;
    default:
      return EntryKind::kNone;
  }
}

Entry EntryOf(Path path, const arrow::fs::FileInfo& info) {
  const int64_t modified_ns =
      info.mtime() == arrow::fs::kNoTime
          ? 0
          : std::chrono::duration_cast<std::chrono::nanoseconds>(
                info.mtime().time_since_epoch())
                .count();
  return {std::move(path), KindOf(info), std::max<int64_t>(info.size(), 0),
          modified_ns};
}

class ArrowByteSource final : public ByteSource {
 public:
  ArrowByteSource(std::shared_ptr<arrow::io::InputStream> stream,
                  std::string name)
      : stream_(std::move(stream)), name_(std::move(name)) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t size) override {
    TROMMEL_ASSIGN_OR_RETURN_ARROW(
        const int64_t count, stream_->Read(static_cast<int64_t>(size), buffer),
        name_);
    return static_cast<size_t>(count);
  }

 private:
  std::shared_ptr<arrow::io::InputStream> stream_;
  std::string name_;
};

class ArrowFileWriter final : public FileWriter {
 public:
  ArrowFileWriter(std::shared_ptr<arrow::io::OutputStream> stream,
                  Path temporary, Path path)
      : stream_(std::move(stream)),
        temporary_(std::move(temporary)),
        path_(std::move(path)) {}

  ~ArrowFileWriter() override {
    if (stream_ == nullptr) return;
    // Abandoned: nothing may appear under the final name.
    (void)stream_->Abort();
    (void)RemoveAll(temporary_);
  }

  absl::Status Write(std::string_view bytes) override {
    return FromArrow(
        stream_->Write(bytes.data(), static_cast<int64_t>(bytes.size())),
        path_.name);
  }

  absl::Status Close() override {
    const std::shared_ptr<arrow::io::OutputStream> stream =
        std::exchange(stream_, nullptr);
    TROMMEL_RETURN_IF_ARROW_ERROR(stream->Close(), path_.name);
    return Rename(temporary_, path_);
  }

 private:
  std::shared_ptr<arrow::io::OutputStream> stream_;
  Path temporary_;
  Path path_;
};

}  // namespace

Path Path::Child(std::string_view entry) const {
  return {file_system, Join(path, entry), Join(name, entry)};
}

Path Path::Parent() const {
  const auto parent = [](const std::string& text) -> std::string {
    const size_t slash = text.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : text.substr(0, slash);
  };
  return {file_system, parent(path), parent(name)};
}

std::string Path::BaseName() const { return path.substr(path.rfind('/') + 1); }

std::string Path::Absolute() const { return IsLocal(*this) ? path : name; }

std::string Path::RelativeTo(const Path& directory) const {
  const std::string base = Join(directory.path, "");
  return path.compare(0, base.size(), base) == 0 ? path.substr(base.size())
                                                 : path;
}

bool IsLocal(const Path& path) {
  return path.file_system->type_name() == "local";
}

bool IsHidden(std::string_view relative_path) {
  while (true) {
    if (!relative_path.empty() &&
        (relative_path[0] == '_' || relative_path[0] == '.')) {
      return true;
    }
    const size_t slash = relative_path.find('/');
    if (slash == std::string_view::npos) return false;
    relative_path.remove_prefix(slash + 1);
  }
}

absl::Status CheckScheme(std::string_view path_or_uri) {
  const std::string_view scheme = SchemeOf(path_or_uri);
  for (const std::string_view hdfs : {kHdfs, kViewfs}) {
    if (scheme.empty() && path_or_uri.rfind(StrCat(hdfs, ":"), 0) == 0) {
      return absl::InvalidArgumentError(StrCat(path_or_uri,
                                               " is no complete URI; write ",
                                               hdfs, "://HOST:PORT/path"));
    }
  }
  if (scheme.empty() || scheme == kFile || scheme == kHdfs ||
      scheme == kViewfs) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      StrCat(path_or_uri, ": ", scheme,
             ":// is not supported; a path is one of this machine or a file:, "
             "hdfs: or viewfs: URI"));
}

bool IsOnHdfs(std::string_view path_or_uri) {
  const std::string_view scheme = SchemeOf(path_or_uri);
  return scheme == kHdfs || scheme == kViewfs;
}

absl::StatusOr<Path> ResolvePath(std::string_view path_or_uri) {
  std::string name(path_or_uri);
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  if (name.empty()) return absl::InvalidArgumentError("a path is empty");
  TROMMEL_RETURN_IF_ERROR(CheckScheme(name));
  Path result;
  result.name = name;
  if (SchemeOf(name).empty() && name.compare(0, 5, "file:") != 0) {
    // Arrow wants absolute local paths.
    std::error_code error;
    name = std::filesystem::absolute(name, error).lexically_normal().string();
    if (error) {
      return absl::InvalidArgumentError(
          StrCat(result.name, ": ", error.message()));
    }
    while (name.size() > 1 && name.back() == '/') name.pop_back();
  }
  if (IsOnHdfs(name)) {
    TROMMEL_ASSIGN_OR_RETURN(result.file_system, ConnectToHdfs(name));
    TROMMEL_ASSIGN_OR_RETURN_ARROW(
        result.path, result.file_system->PathFromUri(name), result.name);
    return result;
  }
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      result.file_system,
      arrow::fs::FileSystemFromUriOrPath(name, &result.path), result.name);
  return result;
}

absl::StatusOr<Entry> Stat(const Path& path) {
  TROMMEL_ASSIGN_OR_RETURN_ARROW(const arrow::fs::FileInfo info,
                                 path.file_system->GetFileInfo(path.path),
                                 path.name);
  Entry entry = EntryOf(path, info);
  // Arrow takes any error of HDFS for an absent file. Its root is never absent.
  if (entry.kind == EntryKind::kNone &&
      path.file_system->type_name() == "hdfs") {
    TROMMEL_ASSIGN_OR_RETURN_ARROW(const arrow::fs::FileInfo root,
                                   path.file_system->GetFileInfo("/"),
                                   path.name);
    if (root.type() != arrow::fs::FileType::Directory) {
      return absl::UnavailableError(
          StrCat(path.name, ": HDFS does not answer"));
    }
  }
  return entry;
}

absl::StatusOr<std::vector<Entry>> ListDirectory(const Path& directory,
                                                 bool recursive) {
  arrow::fs::FileSelector selector;
  selector.base_dir = directory.path;
  selector.recursive = recursive;
  TROMMEL_ASSIGN_OR_RETURN_ARROW(const arrow::fs::FileInfoVector infos,
                                 directory.file_system->GetFileInfo(selector),
                                 directory.name);
  std::vector<Entry> entries;
  for (const arrow::fs::FileInfo& info : infos) {
    Path path = directory;
    path.path = info.path();
    path.name = Join(directory.name, path.RelativeTo(directory));
    entries.push_back(EntryOf(std::move(path), info));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.path.path < b.path.path;
  });
  return entries;
}

absl::Status MakeDirectories(const Path& directory) {
  return FromArrow(directory.file_system->CreateDir(directory.path),
                   directory.name);
}

absl::Status Rename(const Path& from, const Path& to) {
  return FromArrow(from.file_system->Move(from.path, to.path),
                   StrCat("renaming ", from.name, " to ", to.name));
}

absl::Status RemoveAll(const Path& path) {
  TROMMEL_ASSIGN_OR_RETURN(const Entry entry, Stat(path));
  switch (entry.kind) {
    case EntryKind::kFile:
      return FromArrow(path.file_system->DeleteFile(path.path), path.name);
    case EntryKind::kDirectory:
      return FromArrow(path.file_system->DeleteDir(path.path), path.name);
    case EntryKind::kNone:
      break;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(ByteSource* source, std::string_view name,
                                    size_t max_bytes) {
  std::string bytes;
  constexpr size_t kStep = size_t{1} << 16;
  while (true) {
    const size_t size = bytes.size();
    bytes.resize(size + kStep);
    TROMMEL_ASSIGN_OR_RETURN(const size_t count,
                             source->Read(bytes.data() + size, kStep));
    bytes.resize(size + count);
    if (count == 0) return bytes;
    if (bytes.size() > max_bytes) {
      return absl::ResourceExhaustedError(
          StrCat(name, ": more than ", max_bytes, " bytes"));
    }
  }
}

absl::StatusOr<std::string> ReadFile(const Path& path, size_t max_bytes) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source,
                           OpenByteSource(path));
  return ReadAll(source.get(), path.name, max_bytes);
}

absl::Status WriteFile(const Path& path, std::string_view bytes) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<FileWriter> writer,
                           FileWriter::Create(path));
  TROMMEL_RETURN_IF_ERROR(writer->Write(bytes));
  return writer->Close();
}

absl::StatusOr<std::unique_ptr<ByteSource>> OpenByteSource(const Path& path) {
  TROMMEL_ASSIGN_OR_RETURN_ARROW(std::shared_ptr<arrow::io::InputStream> stream,
                                 path.file_system->OpenInputStream(path.path),
                                 path.name);
  return std::make_unique<ArrowByteSource>(std::move(stream), path.name);
}

absl::StatusOr<std::unique_ptr<FileWriter>> FileWriter::Create(
    const Path& path) {
  Path temporary = path.Parent().Child(StrCat(".", path.BaseName(), ".tmp"));
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      std::shared_ptr<arrow::io::OutputStream> stream,
      path.file_system->OpenOutputStream(temporary.path), path.name);
  return std::make_unique<ArrowFileWriter>(std::move(stream),
                                           std::move(temporary), path);
}

}  // namespace trommel::io

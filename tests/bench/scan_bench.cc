// What the map/reduce runtime adds to reading a crawl.
//
//   scan_bench TROMMEL CRAWL [ROUNDS]
//
// Takes turns at two ways of adding up the bytes of a crawl's pages: two
// processes that read the columns url and content of every other row group
// with nothing but Parquet's own reader, and `TROMMEL stats --workers=2`.
// Prints the least time of each, their ratio, and the memory of the largest
// process.

#include <arrow/array.h>
#include <arrow/chunked_array.h>
#include <arrow/io/file.h>
#include <arrow/table.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/table_files.h"

namespace trommel {
namespace {

constexpr int kProcesses = 2;

int64_t BytesOf(const arrow::ChunkedArray& column) {
  int64_t bytes = 0;
  for (const std::shared_ptr<arrow::Array>& chunk : column.chunks()) {
    if (chunk->type_id() == arrow::Type::STRING) {
      bytes +=
          static_cast<const arrow::StringArray&>(*chunk).total_values_length();
    } else {
      bytes +=
          static_cast<const arrow::BinaryArray&>(*chunk).total_values_length();
    }
  }
  return bytes;
}

// Reads the row groups whose number is `process` modulo kProcesses.
int64_t PlainScan(const std::vector<std::string>& files, int process) {
  int64_t bytes = 0;
  int number = 0;
  for (const std::string& file : files) {
    parquet::arrow::FileReaderBuilder builder;
    if (!builder.Open(arrow::io::ReadableFile::Open(file).ValueOrDie()).ok()) {
      std::abort();
    }
    const std::unique_ptr<parquet::arrow::FileReader> reader =
        builder.Build().ValueOrDie();
    reader->set_use_threads(false);
    std::vector<int> columns;
    const auto* const schema = reader->parquet_reader()->metadata()->schema();
    for (int i = 0; i < schema->num_columns(); ++i) {
      const std::string& name = schema->Column(i)->name();
      if (name == "url" || name == "content") columns.push_back(i);
    }
    for (int group = 0; group < reader->num_row_groups(); ++group) {
      if (number++ % kProcesses != process) continue;
      const std::shared_ptr<arrow::Table> table =
          reader->ReadRowGroup(group, columns).ValueOrDie();
      for (const auto& column : table->columns()) bytes += BytesOf(*column);
    }
  }
  return bytes;
}

struct Measure {
  double seconds = 1e9;
  int64_t peak_mb = 0;
};

// Starts processes that call `child`, waits for all, and notes the time.
template <typename Child>
void Time(int processes, Measure* measure, Child child) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < processes; ++i) {
    if (::fork() == 0) {
      child(i);
      ::_exit(0);
    }
  }
  for (int i = 0; i < processes; ++i) {
    int status = 0;
    rusage usage = {};
    if (::wait4(-1, &status, 0, &usage) < 0 || status != 0) {
      std::fprintf(stderr, "a process failed\n");
      std::exit(1);
    }
    // Of the process and of those it waited for.
    measure->peak_mb =
        std::max<int64_t>(measure->peak_mb, usage.ru_maxrss / 1024);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  measure->seconds = std::min(measure->seconds, seconds);
}

int Main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: scan_bench TROMMEL CRAWL [ROUNDS]\n");
    return 2;
  }
  const std::string trommel = argv[1];
  const std::string crawl = argv[2];
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  const auto entries = io::ListTableFiles(io::ResolvePath(crawl).value());
  if (!entries.ok()) {
    std::fprintf(stderr, "%s\n", entries.status().ToString().c_str());
    return 1;
  }
  std::vector<std::string> files;
  for (const io::Entry& file : *entries) files.push_back(file.path.path);
  Measure plain;
  Measure ours;
  for (int round = 0; round < rounds; ++round) {
    Time(kProcesses, &plain, [&](int i) {
      if (PlainScan(files, i) < 0) std::abort();
    });
    Time(1, &ours, [&](int) {
      const std::string flag = StrCat("--crawl=", crawl);
      if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(1);
      ::execl(trommel.c_str(), "trommel", "stats", flag.c_str(), "--workers=2",
              nullptr);
      ::_exit(127);
    });
  }
  std::printf("plain scan of two processes  %.2f s, largest process %lld MB\n",
              plain.seconds, static_cast<long long>(plain.peak_mb));
  std::printf("trommel stats --workers=2    %.2f s, largest process %lld MB\n",
              ours.seconds, static_cast<long long>(ours.peak_mb));
  std::printf("trommel / plain              %.3f\n",
              ours.seconds / plain.seconds);
  return 0;
}

}  // namespace
}  // namespace trommel

int main(int argc, char** argv) { return trommel::Main(argc, argv); }

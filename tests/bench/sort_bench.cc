// Sorting on one machine: the local shuffle against GNU sort.
//
//   sort_bench DIRECTORY [LINES [ROUNDS [PREFIX]]]
//
// Makes a file of lines (PREFIX and ten random letters, a tab, ninety random
// letters) and sorts it in turns through the shuffle and by
// `LC_ALL=C sort -S 256M --parallel=2`. The shuffle has the same memory: two
// processes of 128 MB map halves of the file, then two reduce a partition each
// and write it as lines. Prints the times, the peak memory of each process and
// the ratio of the least times, and checks that what came out of the shuffle is
// sorted and complete. Everything is in DIRECTORY/sort-bench, which is removed.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/base/status.h"
#include "mapreduce/codec/shuffle_key.h"
#include "mapreduce/shuffle/groups.h"
#include "mapreduce/shuffle/merge.h"
#include "mapreduce/shuffle/sorter.h"

namespace trommel::mr {
namespace {

constexpr int kProcesses = 2;
// Of the 128 MB of a process; the rest is for buffers and the program.
constexpr size_t kSortMemory = size_t{120} << 20;
constexpr size_t kKeyLetters = 10;
constexpr size_t kValueLetters = 90;

[[noreturn]] void Die(std::string_view message) {
  std::fprintf(stderr, "sort_bench: %.*s\n", static_cast<int>(message.size()),
               message.data());
  std::exit(1);
}

void Check(const absl::Status& status) {
  if (!status.ok()) Die(std::string(status.message()));
}

// --- Lines -------------------------------------------------------------------

class LineWriter {
 public:
  explicit LineWriter(const std::string& path)
      : descriptor_(::open(path.c_str(),
                           O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) Die("cannot create " + path);
    buffer_.reserve(kBuffer);
  }
  ~LineWriter() {
    Flush();
    ::close(descriptor_);
  }

  void Write(std::string_view key, std::string_view value) {
    if (buffer_.size() + key.size() + value.size() + 2 > kBuffer) Flush();
    buffer_.append(key);
    buffer_.push_back('\t');
    buffer_.append(value);
    buffer_.push_back('\n');
  }

 private:
  static constexpr size_t kBuffer = size_t{1} << 20;

  void Flush() {
    std::string_view rest = buffer_;
    while (!rest.empty()) {
      const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
      if (count < 0) Die("cannot write");
      rest.remove_prefix(static_cast<size_t>(count));
    }
    buffer_.clear();
  }

  int descriptor_;
  std::string buffer_;
};

// Calls `use` with each line, without its newline, that begins in bytes
// [begin, end) of the file; `begin` is where a line begins.
void ForEachLine(const std::string& path, int64_t begin, int64_t end,
                 const std::function<void(std::string_view)>& use) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) Die("cannot open " + path);
  std::vector<char> buffer(size_t{1} << 20);
  size_t filled = 0;
  while (begin < end) {
    const ssize_t count =
        ::pread(descriptor, buffer.data() + filled, buffer.size() - filled,
                begin + static_cast<int64_t>(filled));
    if (count < 0) Die("cannot read " + path);
    if (count == 0) break;
    filled += static_cast<size_t>(count);
    const char* at = buffer.data();
    const char* const stop = at + filled;
    while (begin < end) {
      const auto* const newline = static_cast<const char*>(
          std::memchr(at, '\n', static_cast<size_t>(stop - at)));
      if (newline == nullptr) break;
      use(std::string_view(at, static_cast<size_t>(newline - at)));
      begin += newline + 1 - at;
      at = newline + 1;
    }
    filled = static_cast<size_t>(stop - at);
    std::memmove(buffer.data(), at, filled);
  }
  ::close(descriptor);
}

int64_t FileSize(const std::string& path) {
  return static_cast<int64_t>(std::filesystem::file_size(path));
}

// What is the same however lines are ordered.
struct Content {
  int64_t num_lines = 0;
  uint64_t checksum = 0;

  bool operator==(const Content&) const = default;
  void Add(std::string_view line) {
    ++num_lines;
    checksum += Hash64(line);
  }
};

void MakeLines(const std::string& path, int64_t num_lines,
               std::string_view prefix) {
  constexpr std::string_view kLetters =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";
  static_assert(kLetters.size() == 64);
  Random random(1);
  LineWriter writer(path);
  std::string text(kKeyLetters + kValueLetters, ' ');
  std::string key;
  for (int64_t line = 0; line < num_lines; ++line) {
    uint64_t bits = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      bits = i % 10 == 0 ? random.Next() : bits >> 6;
      text[i] = kLetters[bits % 64];
    }
    key.assign(prefix).append(text, 0, kKeyLetters);
    writer.Write(key, std::string_view(text).substr(kKeyLetters));
  }
}

// Reads files of sorted lines; they must be in order of `key_of` each.
Content ReadSorted(
    const std::vector<std::string>& paths,
    const std::function<std::string_view(std::string_view)>& key_of) {
  Content content;
  for (const std::string& path : paths) {
    std::string last;
    ForEachLine(path, 0, FileSize(path), [&](std::string_view line) {
      const std::string_view key = key_of(line);
      if (key < last) Die(path + " is not sorted");
      last.assign(key);
      content.Add(line);
    });
  }
  return content;
}

std::string_view KeyOf(std::string_view line) {
  return line.substr(0, line.find('\t'));
}

// --- Processes ---------------------------------------------------------------

struct Finished {
  std::string name;
  double peak_mb;
  double cpu_seconds;
};

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) / 1e6;
}

pid_t Start(const std::function<void()>& work) {
  std::fflush(stdout);  // or the child prints it again
  const pid_t child = ::fork();
  if (child < 0) Die("cannot fork");
  if (child == 0) {
    work();
    ::_exit(0);
  }
  return child;
}

void Wait(pid_t child, std::string name, std::vector<Finished>* finished) {
  int status = 0;
  rusage usage = {};
  if (::wait4(child, &status, 0, &usage) != child || status != 0) {
    Die(name + " failed");
  }
  finished->push_back({std::move(name),
                       static_cast<double>(usage.ru_maxrss) / 1024,
                       Seconds(usage.ru_utime) + Seconds(usage.ru_stime)});
}

// --- The two ways ------------------------------------------------------------

class SortBench {
 public:
  explicit SortBench(std::string directory)
      : directory_(std::move(directory)), input_(directory_ + "/input") {}

  const std::string& input() const { return input_; }
  std::string gnu_output() const { return directory_ + "/gnu"; }
  std::vector<std::string> our_outputs() const {
    std::vector<std::string> paths;
    for (int i = 0; i < kProcesses; ++i) {
      paths.push_back(StrCat(directory_, "/part-", i));
    }
    return paths;
  }

  void SortByGnu(std::vector<Finished>* finished) const {
    const pid_t child = Start([this] {
      ::setenv("LC_ALL", "C", 1);
      ::execlp("sort", "sort", "-S", "256M", "--parallel=2", "-T",
               directory_.c_str(), "-o", gnu_output().c_str(), input_.c_str(),
               static_cast<char*>(nullptr));
      Die("cannot start sort");
    });
    Wait(child, "sort", finished);
  }

  void SortByShuffle(std::vector<Finished>* finished) const {
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
      children.push_back(Start([this, i] { Map(i); }));
    }
    for (int i = 0; i < kProcesses; ++i) {
      Wait(children[static_cast<size_t>(i)], StrCat("map ", i), finished);
    }
    children.clear();
    for (int i = 0; i < kProcesses; ++i) {
      children.push_back(Start([this, i] { Reduce(i); }));
    }
    for (int i = 0; i < kProcesses; ++i) {
      Wait(children[static_cast<size_t>(i)], StrCat("reduce ", i), finished);
    }
    for (int i = 0; i < kProcesses; ++i) {
      std::filesystem::remove_all(MapDirectory(i));
    }
  }

 private:
  std::string MapDirectory(int i) const {
    return StrCat(directory_, "/map-", i);
  }
  std::string RunList(int i) const { return MapDirectory(i) + "/runs"; }

  // Where the i-th share of the input begins: behind a newline.
  int64_t ShareBegin(int i) const {
    const int64_t at = FileSize(input_) * i / kProcesses;
    if (at == 0) return 0;
    std::ifstream in(input_, std::ios::binary);
    in.seekg(at - 1);
    std::string rest;
    std::getline(in, rest);
    return at - 1 + static_cast<int64_t>(rest.size()) + 1;
  }

  void Map(int i) const {
    Sorter::Options options;
    options.memory_bytes = kSortMemory;
    options.num_partitions = kProcesses;
    options.directory = MapDirectory(i);
    std::filesystem::create_directory(options.directory);
    Sorter sorter(options);
    std::string key;
    const int64_t end =
        i + 1 == kProcesses ? FileSize(input_) : ShareBegin(i + 1);
    ForEachLine(input_, ShareBegin(i), end, [&](std::string_view line) {
      const std::string_view group = KeyOf(line);
      key.clear();
      AppendShuffleKey(group, "", &key);
      Check(sorter.Add(PartitionOf(EncodedGroup(key), kProcesses), key,
                       line.substr(group.size() + 1)));
    });
    absl::StatusOr<std::vector<Run>> runs = sorter.Finish();
    Check(runs.status());
    std::ofstream list(RunList(i));
    for (const Run& run : *runs) {
      list << run.path;
      for (const int64_t section_end : run.section_ends) {
        list << ' ' << section_end;
      }
      list << '\n';
    }
  }

  std::vector<Run> AllRuns() const {
    std::vector<Run> runs;
    for (int i = 0; i < kProcesses; ++i) {
      std::ifstream list(RunList(i));
      Run run;
      run.section_ends.resize(kProcesses);
      while (list >> run.path) {
        for (int64_t& section_end : run.section_ends) list >> section_end;
        runs.push_back(run);
      }
    }
    return runs;
  }

  class LineReducer final : public Reducer {
   public:
    explicit LineReducer(const std::string& path) : writer_(path) {}
    absl::Status Reduce(std::string_view group, Values* values,
                        TaskOutput* /*out*/) override {
      while (values->Next()) writer_.Write(group, values->value());
      return absl::OkStatus();
    }

   private:
    LineWriter writer_;
  };

  void Reduce(int i) const {
    MergeOptions options;
    options.directory = directory_;
    absl::StatusOr<std::unique_ptr<PairStream>> sorted =
        MergeRuns(AllRuns(), static_cast<size_t>(i), options);
    Check(sorted.status());
    LineReducer reducer(our_outputs()[static_cast<size_t>(i)]);
    Check(ReduceGroups(sorted->get(), &reducer, nullptr));
  }

  std::string directory_;
  std::string input_;
};

double Measure(std::string_view name,
               const std::function<void(std::vector<Finished>*)>& work) {
  ::sync();  // nobody pays for what another wrote
  std::vector<Finished> finished;
  const auto begin = std::chrono::steady_clock::now();
  work(&finished);
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - begin;
  double cpu_seconds = 0;
  for (const Finished& process : finished) cpu_seconds += process.cpu_seconds;
  std::printf("  %-8.*s %7.2f s, of CPU %7.2f s; peak memory:",
              static_cast<int>(name.size()), name.data(), time.count(),
              cpu_seconds);
  for (const Finished& process : finished) {
    std::printf(" %s %.0f MB%s", process.name.c_str(), process.peak_mb,
                &process == &finished.back() ? "\n" : ",");
  }
  return time.count();
}

int Main(int argc, char** argv) {
  if (argc < 2 || argc > 5) {
    Die("usage: sort_bench DIRECTORY [LINES [ROUNDS [PREFIX]]]");
  }
  const std::string directory = StrCat(argv[1], "/sort-bench");
  const int64_t num_lines = argc > 2 ? std::atoll(argv[2]) : 20000000;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 3;
  const std::string_view prefix = argc > 4 ? argv[4] : "";
  if (num_lines < 1 || rounds < 1) Die("LINES and ROUNDS are at least 1");
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  const SortBench bench(directory);
  MakeLines(bench.input(), num_lines, prefix);
  Content content;
  ForEachLine(bench.input(), 0, FileSize(bench.input()),
              [&content](std::string_view line) { content.Add(line); });
  std::printf("%lld lines, %.2f GB\n",
              static_cast<long long>(content.num_lines),
              static_cast<double>(FileSize(bench.input())) / 1e9);

  double gnu = 1e9;
  double ours = 1e9;
  for (int round = 0; round < rounds; ++round) {
    ours = std::min(ours, Measure("shuffle", [&bench](auto* finished) {
                      bench.SortByShuffle(finished);
                    }));
    if (ReadSorted(bench.our_outputs(), KeyOf) != content) {
      Die("the shuffle's output is not complete");
    }
    gnu = std::min(gnu, Measure("GNU sort", [&bench](auto* finished) {
                     bench.SortByGnu(finished);
                   }));
    if (ReadSorted({bench.gnu_output()},
                   [](std::string_view line) { return line; }) != content) {
      Die("GNU sort's output is not complete");
    }
    for (const std::string& path : bench.our_outputs()) {
      std::filesystem::remove(path);
    }
    std::filesystem::remove(bench.gnu_output());
  }
  std::filesystem::remove_all(directory);
  const double ratio = ours / gnu;
  std::printf("shuffle / GNU sort %.2f   target <= 1   %s\n", ratio,
              ratio <= 1 ? "met" : "MISSED");
  return ratio <= 1 ? 0 : 1;
}

}  // namespace
}  // namespace trommel::mr

int main(int argc, char** argv) { return trommel::mr::Main(argc, argv); }

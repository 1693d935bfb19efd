#include "tests/mapreduce/engine/test_steps.h"

#include <arrow/type.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "mapreduce/codec/ordered.h"
#include "mapreduce/io/path.h"

namespace trommel::testing_support {
namespace {

// True for the first caller with this file, over all processes.
bool IsFirst(const std::string& file) {
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) return false;
  ::close(descriptor);
  return true;
}

[[noreturn]] void Eat() {
  std::vector<std::unique_ptr<char[]>> eaten;
  while (true) {
    constexpr size_t kBite = size_t{8} << 20;
    eaten.emplace_back(new char[kBite]);
    std::memset(eaten.back().get(), 1, kBite);
    ::usleep(2000);
  }
}

std::shared_ptr<arrow::Schema> CountSchema() {
  return arrow::schema({arrow::field("word", arrow::utf8(), false),
                        arrow::field("count", arrow::int64(), false)});
}

// --- words -------------------------------------------------------------------

uint64_t Sum(mr::Values* values, int64_t* num_values) {
  uint64_t sum = 0;
  while (values->Next()) {
    ++*num_values;
    std::string_view value = values->value();
    uint64_t number = 0;
    if (!mr::ConsumeOrderedUint64(&value, &number)) std::abort();
    sum += number;
  }
  return sum;
}

std::string Number(uint64_t number) {
  std::string value;
  mr::AppendOrderedUint64(number, &value);
  return value;
}

class WordMapper final : public mr::Mapper {
 public:
  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    std::string_view text = row.bytes(0);
    while (!text.empty()) {
      const size_t end = std::min(text.find(' '), text.size());
      if (end > 0) {
        out->Count("words.seen");
        TROMMEL_RETURN_IF_ERROR(out->Emit(text.substr(0, end), "", Number(1)));
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return absl::OkStatus();
  }
  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    return {std::string(row.bytes(0)), "words"};
  }
};

class SumCombiner final : public mr::Combiner {
 public:
  absl::Status Combine(std::string_view /*group*/, mr::Values* values,
                       Output* out) override {
    int64_t ignored = 0;
    return out->Emit(Number(Sum(values, &ignored)));
  }
};

class SumReducer final : public mr::Reducer {
 public:
  absl::Status Reduce(std::string_view group, mr::Values* values,
                      mr::TaskOutput* out) override {
    int64_t num_values = 0;
    const auto sum = static_cast<int64_t>(Sum(values, &num_values));
    out->Count("words.different");
    // How much a combiner has left to do; differs between engines.
    out->Count("values.reduced", num_values);
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    table->Text(group).Int64(sum);
    return table->EndRow();
  }
};

class WordStep final : public mr::Step {
 public:
  std::string_view name() const override { return "words"; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{{".", CountSchema(), {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<WordMapper>();
  }
  absl::StatusOr<std::unique_ptr<mr::Combiner>> MakeCombiner(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<SumCombiner>();
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<SumReducer>();
  }
};

// --- echo --------------------------------------------------------------------

class EchoMapper final : public mr::Mapper {
 public:
  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    TROMMEL_ASSIGN_OR_RETURN(const bool go_on,
                             Act(std::string(row.bytes(3)), row, input, out));
    if (!go_on) return absl::OkStatus();
    std::string sort_key;
    mr::AppendOrderedInt64(row.int64(1), &sort_key);
    return out->Emit(row.bytes(0), sort_key, row.bytes(2));
  }
  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    return {std::string(row.bytes(0)), "echo"};
  }

 private:
  absl::StatusOr<bool> Act(const std::string& action, const io::Row& row,
                           int input, mr::MapOutput* out) const {
    if (action.empty()) return true;
    if (action == "crash") ::raise(SIGSEGV);
    if (action == "abort") std::abort();
    if (action == "exit") ::_exit(7);
    if (action == "hang") ::sleep(3600);
    if (action == "eat") Eat();
    if (action == "sleep") ::usleep(2000);
    if (action == "fail") return absl::UnavailableError("no luck today");
    if (action == "bad") return absl::InvalidArgumentError("this is all wrong");
    if (action.compare(0, 5, "once:") == 0 && IsFirst(action.substr(5))) {
      ::raise(SIGKILL);
    }
    if (action.compare(0, 7, "parent:") == 0 && IsFirst(action.substr(7))) {
      ::kill(::getppid(), SIGKILL);
      ::sleep(10);
    }
    if (action == "reject") {
      TROMMEL_RETURN_IF_ERROR(
          out->Reject(Name(input, row), "unwanted", "it said so itself"));
      return false;
    }
    return true;
  }
};

class EchoReducer final : public mr::Reducer {
 public:
  absl::Status Reduce(std::string_view group, mr::Values* values,
                      mr::TaskOutput* out) override {
    const auto begins = [group](std::string_view start) {
      return group.substr(0, start.size()) == start;
    };
    if (begins("reduce-fail")) {
      return absl::UnavailableError("cannot reduce this group");
    }
    if (begins("reduce-crash")) ::raise(SIGSEGV);
    if (begins("reduce-once:") && IsFirst(std::string(group.substr(12)))) {
      ::raise(SIGKILL);
    }
    std::string all;
    int64_t count = 0;
    while (values->Next()) {
      std::string_view sort_key = values->sort_key();
      int64_t order = 0;
      if (!mr::ConsumeOrderedInt64(&sort_key, &order) || !sort_key.empty()) {
        return absl::DataLossError("a sort key arrived damaged");
      }
      StrAppend(&all, order, "=", values->value(), ";");
      ++count;
    }
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    table->Bytes(group).Int64(count).Bytes(all);
    return table->EndRow();
  }
};

class EchoStep final : public mr::Step {
 public:
  std::string_view name() const override { return "echo"; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{
        {".",
         arrow::schema({arrow::field("key", arrow::binary(), false),
                        arrow::field("count", arrow::int64(), false),
                        arrow::field("values", arrow::binary(), false)}),
         {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<EchoMapper>();
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<EchoReducer>();
  }
};

// --- flood -------------------------------------------------------------------

class FloodMapper final : public mr::Mapper {
 public:
  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    const std::string value(1000, 'x');
    const int64_t count = std::atoll(std::string(row.bytes(0)).c_str());
    for (int64_t i = 0; i < count; ++i) {
      // Out of order, so that sorting has something to do.
      std::string sort_key;
      mr::AppendOrderedInt64(i * 7919 % count, &sort_key);
      TROMMEL_RETURN_IF_ERROR(out->Emit("everything", sort_key, value));
    }
    return absl::OkStatus();
  }
  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    return {std::string(row.bytes(0)), "flood"};
  }
};

class FloodReducer final : public mr::Reducer {
 public:
  absl::Status Reduce(std::string_view group, mr::Values* values,
                      mr::TaskOutput* out) override {
    int64_t count = 0;
    bool ordered = true;
    std::string last;
    while (values->Next()) {
      ++count;
      if (values->sort_key() < last || values->value().size() != 1000) {
        ordered = false;
      }
      last = values->sort_key();
    }
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    table->Text(group).Int64(count).Int64(ordered ? 1 : 0);
    return table->EndRow();
  }
};

class FloodStep final : public mr::Step {
 public:
  std::string_view name() const override { return "flood"; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{
        {".",
         arrow::schema({arrow::field("key", arrow::utf8(), false),
                        arrow::field("count", arrow::int64(), false),
                        arrow::field("ordered", arrow::int64(), false)}),
         {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<FloodMapper>();
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<FloodReducer>();
  }
};

// --- sides and second --------------------------------------------------------

class SideMapper final : public mr::Mapper {
 public:
  explicit SideMapper(std::string greeting) : greeting_(std::move(greeting)) {}

  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    const bool is_odd = row.int64(1) % 2 != 0;
    for (const size_t output : {size_t{is_odd ? 0u : 1u}, size_t{2}}) {
      TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(output));
      table->Text(StrCat(greeting_, " ", row.bytes(0))).Int64(row.int64(1));
      TROMMEL_RETURN_IF_ERROR(table->EndRow());
    }
    return absl::OkStatus();
  }
  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    return {std::string(row.bytes(0)), "sides"};
  }

 private:
  std::string greeting_;
};

class SideStep final : public mr::Step {
 public:
  std::string_view name() const override { return "sides"; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{{"odd", CountSchema(), {}},
                                        {"even", CountSchema(), {}},
                                        {"_scratch/all", CountSchema(), {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const std::string file,
                             context.SideDataPath("greetings"));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
    // A directory greets with its first file.
    io::Path source = path;
    if (entry.kind == io::EntryKind::kDirectory) {
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> entries,
                               io::ListDirectory(path, /*recursive=*/false));
      const auto visible = std::find_if(
          entries.begin(), entries.end(), [](const io::Entry& file) {
            return !io::IsHidden(file.path.BaseName());
          });
      if (visible == entries.end()) return absl::NotFoundError("no greetings");
      source = visible->path;
    }
    TROMMEL_ASSIGN_OR_RETURN(std::string greeting, io::ReadFile(source));
    return std::make_unique<SideMapper>(std::move(greeting));
  }
};

class SecondMapper final : public mr::Mapper {
 public:
  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    return out->Emit(StrCat("input ", input, " ", row.bytes(0)), "", Number(1));
  }
  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    return {std::string(row.bytes(0)), "second"};
  }
};

class SecondStep final : public mr::Step {
 public:
  std::string_view name() const override { return "second"; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{{"counts", CountSchema(), {}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<SecondMapper>();
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& /*context*/) const override {
    return std::make_unique<SumReducer>();
  }
};

}  // namespace

std::vector<io::ColumnRequest> EchoColumns() {
  return {{"key", io::ColumnType::kBytes},
          {"order", io::ColumnType::kInt64},
          {"value", io::ColumnType::kBytes},
          {"action", io::ColumnType::kBytes, /*required=*/false}};
}

std::vector<io::ColumnRequest> WordColumns() {
  return {{"text", io::ColumnType::kBytes}};
}

mr::StepRegistry MakeTestSteps() {
  mr::StepRegistry steps;
  steps.push_back(std::make_unique<WordStep>());
  steps.push_back(std::make_unique<EchoStep>());
  steps.push_back(std::make_unique<FloodStep>());
  steps.push_back(std::make_unique<SideStep>());
  steps.push_back(std::make_unique<SecondStep>());
  return steps;
}

}  // namespace trommel::testing_support

#include "jobs/textproto/textproto.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/strings.h"

namespace trommel::jobs::textproto {
namespace {

// Insertions, deletions and replacements that make `b` of `a`.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(
          row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

// What stands between the first pair of quotes after `before`, or nothing.
std::string_view Quoted(std::string_view text, std::string_view before) {
  const size_t begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  const size_t end = text.find('"');
  return end == std::string_view::npos ? std::string_view()
                                       : text.substr(0, end);
}

// "; did you mean ...?" for a field that does not exist. The text parser has no
// better way to ask for the message and the field than its own words. `whole`
// is what the file is.
std::string Suggestion(const google::protobuf::Descriptor& whole,
                       std::string_view error) {
  const std::string_view type = Quoted(error, "Message type \"");
  const std::string_view wrong = Quoted(error, "has no field named \"");
  const google::protobuf::Descriptor* const message =
      whole.file()->pool()->FindMessageTypeByName(std::string(type));
  if (message == nullptr || wrong.empty()) return {};
  if (whole.FindFieldByName(std::string(wrong)) != nullptr) {
    return StrCat(" ", whole.name(), " has it: is a } missing before?");
  }
  std::string nearest;
  std::string all;
  size_t least = std::max<size_t>(2, wrong.size() / 3) + 1;
  for (int i = 0; i < message->field_count(); ++i) {
    const std::string& name = message->field(i)->name();
    StrAppend(&all, all.empty() ? "" : ", ", name);
    const size_t distance = EditDistance(wrong, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest.empty() ? StrCat(" It has: ", all, ".")
                         : StrCat(" Did you mean \"", nearest, "\"?");
}

// For what the text parser says when something was left open.
std::string WhatIsMissing(std::string_view error) {
  if (error.find("cannot cross line boundaries") != std::string_view::npos) {
    return " Is a quote missing at the end of the line?";
  }
  constexpr std::string_view kNothing = ", got: ";
  const bool at_end = error.size() >= kNothing.size() &&
                      error.substr(error.size() - kNothing.size()) == kNothing;
  return at_end ? "nothing: the file ends here. Is a } missing?" : "";
}

// Keeps the first error; the others usually follow from it.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  FirstError(std::string_view file, const google::protobuf::Descriptor* whole)
      : file_(file), whole_(whole) {}

  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text_.empty()) return;
    text_ = StrCat(file_, ":", line + 1, ":", column + 1, ": ", message,
                   WhatIsMissing(message), Suggestion(*whole_, message));
  }

  const std::string& text() const { return text_; }

 private:
  std::string file_;
  const google::protobuf::Descriptor* whole_;
  std::string text_;
};

}  // namespace

absl::Status ParseTextproto(std::string_view text, std::string_view file,
                            google::protobuf::Message* message) {
  FirstError error(file, message->GetDescriptor());
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (parser.ParseFromString(std::string(text), message)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      error.text().empty()
          ? StrCat(file, ": not a valid ", message->GetTypeName(), " textproto")
          : error.text());
}

}  // namespace trommel::jobs::textproto

#include "jobs/textproto/textproto.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <string>

#include "core/base/strings.h"

namespace trommel {
namespace {

// Keeps the first error; the others usually follow from it.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstError(std::string_view file) : file_(file) {}

  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text_.empty()) return;
    text_ = StrCat(file_, ":", line + 1, ":", column + 1, ": ", message);
  }

  const std::string& text() const { return text_; }

 private:
  std::string file_;
  std::string text_;
};

}  // namespace

absl::Status ParseTextproto(std::string_view text, std::string_view file,
                            google::protobuf::Message* message) {
  FirstError error(file);
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

}  // namespace trommel

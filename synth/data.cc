#include "synth/data.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <string>

#include "core/base/status.h"
#include "core/base/strings.h"

namespace trommel::synth {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Whether all lists of the message have entries, and the entries are texts.
absl::Status CheckLists(const Message& message) {
  const Reflection& reflection = *message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *message.GetDescriptor()->field(i);
    if (!field.is_repeated()) continue;
    const int size = reflection.FieldSize(message, &field);
    if (size == 0) {
      return absl::InvalidArgumentError(
          StrCat(field.full_name(), ": no entries"));
    }
    for (int k = 0; k < size; ++k) {
      if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        TROMMEL_RETURN_IF_ERROR(
            CheckLists(reflection.GetRepeatedMessage(message, &field, k)));
      } else if (reflection.GetRepeatedString(message, &field, k).empty()) {
        return absl::InvalidArgumentError(
            StrCat(field.full_name(), "[", k, "]: empty"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ParseData(std::string_view text, Message* message) {
  // The parser itself says on standard error in which line it stopped.
  if (!google::protobuf::TextFormat::ParseFromString(std::string(text),
                                                     message)) {
    return absl::InvalidArgumentError(
        StrCat("not a textproto of ", message->GetTypeName()));
  }
  return CheckLists(*message);
}

}  // namespace trommel::synth

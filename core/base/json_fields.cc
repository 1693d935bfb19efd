#include "core/base/json_fields.h"

#include "core/base/characters.h"

namespace trommel {

using nlohmann::ordered_json;

JsonFields::JsonFields(ordered_json* written) : written_(written) {
  *written_ = ordered_json::object();
}

JsonFields::JsonFields(const ordered_json& read, std::string path)
    : read_(&read), path_(std::move(path)) {
  CheckIsObject(read, path_);
}

void JsonFields::VisitTextOrNull(const char* key, std::string* value) {
  if (written_ != nullptr) {
    (*written_)[key] =
        value->empty() ? ordered_json(nullptr) : ordered_json(*value);
    return;
  }
  const ordered_json* const member = Member(key);
  if (member != nullptr && member->is_null()) {
    value->clear();
  } else {
    Visit(key, value);
  }
}

void JsonFields::VisitCounts(std::map<std::string, int64_t>* counts) {
  if (written_ != nullptr) {
    for (const auto& [key, count] : *counts) (*written_)[key] = count;
    return;
  }
  counts->clear();
  for (const auto& [key, member] : read_->items()) {
    if (member.is_number_integer()) (*counts)[key] = member.get<int64_t>();
  }
}

const ordered_json* JsonFields::Member(const char* key) const {
  const auto found = read_->find(key);
  return found == read_->end() ? nullptr : &*found;
}

std::string JsonFields::Path(std::string_view key) const {
  return path_.empty() ? std::string(key) : StrCat(path_, ".", key);
}

void JsonFields::Fail(std::string message) {
  if (status_.ok()) status_ = absl::InvalidArgumentError(message);
}

void JsonFields::Read(const ordered_json& json, const std::string& path,
                      bool* value) {
  if (!json.is_boolean()) return Fail(StrCat(path, " is not true or false"));
  *value = json.get<bool>();
}

void JsonFields::Read(const ordered_json& json, const std::string& path,
                      int64_t* value) {
  if (!json.is_number_integer())
    return Fail(StrCat(path, " is not an integer"));
  *value = json.get<int64_t>();
}

void JsonFields::Read(const ordered_json& json, const std::string& path,
                      double* value) {
  if (!json.is_number()) return Fail(StrCat(path, " is not a number"));
  *value = json.get<double>();
}

void JsonFields::Read(const ordered_json& json, const std::string& path,
                      std::string* value) {
  if (!json.is_string()) return Fail(StrCat(path, " is not a text"));
  *value = json.get<std::string>();
}

void JsonFields::Read(const ordered_json& json, const std::string& path,
                      std::set<std::string>* value) {
  std::vector<std::string> texts;
  Read(json, path, &texts);
  *value = std::set<std::string>(texts.begin(), texts.end());
}

void JsonFields::Read(const ordered_json& json, const std::string&,
                      ordered_json* value) {
  *value = json;
}

bool JsonFields::CheckIsObject(const ordered_json& json,
                               const std::string& path) {
  if (!json.is_object()) {
    Fail(StrCat(path.empty() ? "the whole" : path, " is not an object"));
  }
  return json.is_object();
}

std::string JsonFileText(const ordered_json& json) {
  return PrintableLines(json.dump(1, ' ', /*ensure_ascii=*/false,
                                  ordered_json::error_handler_t::replace)) +
         "\n";
}

std::string JsonLineText(const ordered_json& json) {
  return PrintableLines(json.dump(-1, ' ', /*ensure_ascii=*/false,
                                  ordered_json::error_handler_t::replace));
}

}  // namespace trommel

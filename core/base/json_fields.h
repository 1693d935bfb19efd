#ifndef TROMMEL_CORE_BASE_JSON_FIELDS_H_
#define TROMMEL_CORE_BASE_JSON_FIELDS_H_

// Structs as JSON objects. The keys are said once, for writing and for reading:
//
//   struct Totals {
//     int64_t pages = 0;
//     std::vector<std::string> notes;
//
//     TROMMEL_JSON_FIELDS(pages, notes);
//   };
//
//   const nlohmann::ordered_json json = ToJson(totals);
//   const absl::StatusOr<Totals> same = FromJson<Totals>(json);
//
// Where keys are not the names of members, or may be absent, the struct says so
// itself:
//
//     void VisitFields(JsonFields* fields) {
//       fields->Visit("change", &is_change);
//       fields->VisitUnlessEmpty("notes", &notes);
//     }
//
// A field is a bool, int64_t, double, text, JSON of any kind, a struct like
// this one, or a list, set or text-keyed map of those; a list of pairs is a map
// that keeps its order. Reading knows no defaults: a key that is missing, or
// has a value of another type, is an InvalidArgument with the path of the key
// ("sites[3].pages is missing"). Keys that the struct does not visit are
// skipped.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "core/base/strings.h"

namespace trommel {

class JsonFields;

// What a field may be besides single values.
template <typename T>
concept JsonStruct = requires(T value, JsonFields* fields) {
  value.VisitFields(fields);
};
template <typename T>
concept JsonMap = requires {
  typename T::value_type::second_type;
};
template <typename T>
concept JsonList =
    !JsonMap<T> && std::is_same_v<T, std::vector<typename T::value_type>>;

class JsonFields {
 public:
  // Writes an object.
  explicit JsonFields(nlohmann::ordered_json* written);
  // Reads one. `path` leads to it from the outermost object.
  JsonFields(const nlohmann::ordered_json& read, std::string path);

  template <typename T>
  void Visit(const char* key, T* value) {
    if (written_ != nullptr) {
      Write(value, &(*written_)[key]);
    } else if (const nlohmann::ordered_json* const member = Member(key)) {
      Read(*member, Path(key), value);
    } else {
      Fail(StrCat(Path(key), " is missing"));
    }
  }

  // Members by the names that the source has for them: "pages, notes".
  template <typename... T>
  void VisitAll(std::string_view names, T&... values) {
    const std::vector<std::string> keys = absl::StrSplit(ToAbsl(names), ", ");
    size_t i = 0;
    (Visit(keys[i++].c_str(), &values), ...);
  }

  // A key that is absent where there is no value.
  template <typename T>
  void Visit(const char* key, std::optional<T>* value) {
    if (written_ != nullptr) {
      if (value->has_value()) Visit(key, &**value);
    } else if (Member(key) != nullptr) {
      Visit(key, &value->emplace(T{}));
    }
  }

  // A key that is absent where a text, list or map is empty.
  template <typename T>
  void VisitUnlessEmpty(const char* key, T* value) {
    if (written_ != nullptr ? !value->empty() : Member(key) != nullptr) {
      Visit(key, value);
    }
  }

  // A text that is null where it is empty.
  void VisitTextOrNull(const char* key, std::string* value);

  // Whether there is such a key; always when writing. For keys that files of
  // former days lack:
  //
  //   if (fields->Has("notes")) fields->Visit("notes", &notes);
  bool Has(const char* key) const {
    return written_ != nullptr || Member(key) != nullptr;
  }

  // Counts with keys that are not known beforehand, among the other fields: all
  // members of the object that are integers.
  void VisitCounts(std::map<std::string, int64_t>* counts);

  // The first thing that could not be read.
  const absl::Status& status() const { return status_; }

 private:
  using Json = nlohmann::ordered_json;

  const Json* Member(const char* key) const;
  std::string Path(std::string_view key) const;
  void Fail(std::string message);

  template <typename T>
  static void Write(T* value, Json* json) {
    *json = *value;
  }
  template <JsonStruct T>
  static void Write(T* value, Json* json) {
    JsonFields fields(json);
    value->VisitFields(&fields);
  }
  template <JsonList T>
  static void Write(T* values, Json* json) {
    *json = Json::array();
    for (auto& value : *values) Write(&value, &json->emplace_back());
  }
  template <JsonMap T>
  static void Write(T* values, Json* json) {
    *json = Json::object();
    for (auto& [key, value] : *values) Write(&value, &(*json)[key]);
  }

  void Read(const Json& json, const std::string& path, bool* value);
  void Read(const Json& json, const std::string& path, int64_t* value);
  void Read(const Json& json, const std::string& path, double* value);
  void Read(const Json& json, const std::string& path, std::string* value);
  void Read(const Json& json, const std::string& path,
            std::set<std::string>* value);
  void Read(const Json& json, const std::string& path, Json* value);
  template <JsonStruct T>
  void Read(const Json& json, const std::string& path, T* value) {
    JsonFields fields(json, path);
    if (fields.status_.ok()) value->VisitFields(&fields);
    if (!fields.status_.ok()) Fail(std::string(fields.status_.message()));
  }
  template <JsonList T>
  void Read(const Json& json, const std::string& path, T* values) {
    if (!json.is_array()) return Fail(StrCat(path, " is not a list"));
    values->clear();
    for (const Json& item : json) {
      const size_t number = values->size();
      Read(item, StrCat(path, "[", number, "]"), &values->emplace_back());
    }
  }
  template <JsonMap T>
  void Read(const Json& json, const std::string& path, T* values) {
    if (!CheckIsObject(json, path)) return;
    values->clear();
    for (const auto& [key, item] : json.items()) {
      const auto added =
          values->insert(values->end(), typename T::value_type{key, {}});
      Read(item, StrCat(path, ".", key), &added->second);
    }
  }

  bool CheckIsObject(const Json& json, const std::string& path);

  Json* written_ = nullptr;
  const Json* read_ = nullptr;
  std::string path_;
  absl::Status status_;
};

template <typename T>
nlohmann::ordered_json ToJson(T value) {
  nlohmann::ordered_json json;
  JsonFields fields(&json);
  value.VisitFields(&fields);
  return json;
}

template <typename T>
absl::StatusOr<T> FromJson(const nlohmann::ordered_json& json) {
  JsonFields fields(json, "");
  T value;
  if (fields.status().ok()) value.VisitFields(&fields);
  if (!fields.status().ok()) return fields.status();
  return value;
}

// The same for an object that is still text.
template <typename T>
absl::StatusOr<T> FromJsonText(std::string_view text) {
  return FromJson<T>(
      nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false));
}

// The text of a file, lines indented, and of a line without its end. Bytes that
// are not UTF-8 are replaced.
std::string JsonFileText(const nlohmann::ordered_json& json);
std::string JsonLineText(const nlohmann::ordered_json& json);

}  // namespace trommel

// VisitFields() of a struct whose keys are the names of its members.
#define TROMMEL_JSON_FIELDS(...)                    \
  void VisitFields(::trommel::JsonFields* fields) { \
    fields->VisitAll(#__VA_ARGS__, __VA_ARGS__);    \
  }

#endif  // TROMMEL_CORE_BASE_JSON_FIELDS_H_

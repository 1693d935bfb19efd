#include "core/base/json_fields.h"

#include <gtest/gtest.h>

namespace trommel {
namespace {

struct Inner {
  std::string name;
  int64_t pages = 0;

  TROMMEL_JSON_FIELDS(name, pages);
};

struct Outer {
  bool is_done = false;
  double share = 0;
  std::string reason;
  std::string note;
  std::vector<Inner> sites;
  std::map<std::string, int64_t> counters;
  std::vector<std::pair<std::string, double>> numbers;
  std::set<std::string> ids;
  std::optional<Inner> best;
  nlohmann::ordered_json anything;
  std::map<std::string, int64_t> events;

  void VisitFields(JsonFields* fields) {
    fields->Visit("is_done", &is_done);
    fields->Visit("share", &share);
    fields->VisitTextOrNull("reason", &reason);
    fields->VisitUnlessEmpty("note", &note);
    fields->Visit("sites", &sites);
    fields->Visit("counters", &counters);
    fields->Visit("numbers", &numbers);
    fields->Visit("ids", &ids);
    fields->Visit("best", &best);
    fields->Visit("anything", &anything);
    fields->VisitCounts(&events);
  }
};

Outer MakeOuter() {
  Outer outer;
  outer.is_done = true;
  outer.share = 0.5;
  outer.reason = "why";
  outer.note = "n";
  outer.sites = {{"a", 1}, {"b", 2}};
  outer.counters = {{"x", 3}};
  outer.numbers = {{"z", 1.5}, {"a", 2}};
  outer.ids = {"i", "j"};
  outer.best = Inner{"a", 1};
  outer.anything = {1, "two"};
  outer.events = {{"extracted", 7}};
  return outer;
}

TEST(JsonFields, KeysStandInTheOrderOfTheVisit) {
  EXPECT_EQ(JsonLineText(ToJson(MakeOuter())),
            R"({"is_done":true,"share":0.5,"reason":"why","note":"n",)"
            R"("sites":[{"name":"a","pages":1},{"name":"b","pages":2}],)"
            R"("counters":{"x":3},"numbers":{"z":1.5,"a":2.0},)"
            R"("ids":["i","j"],"best":{"name":"a","pages":1},)"
            R"("anything":[1,"two"],"extracted":7})");
  EXPECT_EQ(JsonLineText(ToJson(Outer())),
            R"({"is_done":false,"share":0.0,"reason":null,"sites":[],)"
            R"("counters":{},"numbers":{},"ids":[],"anything":null})");
}

// A key of today, which files of former days lack.
struct Grown {
  std::string name;
  std::string note = "none";

  void VisitFields(JsonFields* fields) {
    fields->Visit("name", &name);
    if (fields->Has("note")) fields->Visit("note", &note);
  }
};

TEST(JsonFields, KeysThatMayBeMissingAreAlwaysWritten) {
  const auto read = FromJsonText<Grown>(R"({"name":"a"})");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->note, "none");
  EXPECT_EQ(JsonLineText(ToJson(*read)), R"({"name":"a","note":"none"})");
  EXPECT_EQ(FromJsonText<Grown>(R"({"name":"a","note":"b"})")->note, "b");
  EXPECT_FALSE(FromJsonText<Grown>(R"({"name":"a","note":null})").ok());
}

// Terminals act on more characters than those that JSON must escape.
TEST(JsonText, HoldsNoControlCharacters) {
  const nlohmann::ordered_json json = {
      {"a\u009B", "\x1b[2J\n\x7f\u0080\u009F\u00A0\u202E\u2028\u00E9\""}};
  EXPECT_EQ(JsonLineText(json),
            "{\"a\\u009b\":\"\\u001b[2J\\n\\u007f\\u0080\\u009f\u00A0\\u202e"
            "\\u2028\u00E9\\\"\"}");
  EXPECT_EQ(nlohmann::ordered_json::parse(JsonLineText(json)), json);
  EXPECT_EQ(nlohmann::ordered_json::parse(JsonFileText(json)), json);
}

TEST(JsonFields, RoundTrip) {
  for (const Outer& outer : {Outer(), MakeOuter()}) {
    const nlohmann::ordered_json json = ToJson(outer);
    const auto same = FromJsonText<Outer>(JsonFileText(json));
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_EQ(ToJson(*same), json);
  }
}

TEST(JsonFields, ErrorsNameTheKey) {
  struct Case {
    const char* label;
    const char* patch;  // JSON Merge Patch: null removes a key
    const char* error;
  };
  const Case cases[] = {
      {"missing", R"({"share":null})", "share is missing"},
      {"bool", R"({"is_done":1})", "is_done is not true or false"},
      {"number", R"({"share":"1"})", "share is not a number"},
      {"text", R"({"reason":1})", "reason is not a text"},
      {"present but wrong", R"({"note":1})", "note is not a text"},
      {"list", R"({"sites":{}})", "sites is not a list"},
      {"map", R"({"counters":[]})", "counters is not an object"},
      {"inside a map", R"({"counters":{"x":1.5}})",
       "counters.x is not an integer"},
      {"inside a list", R"({"sites":[{"name":"a","pages":1},{"name":"b"}]})",
       "sites[1].pages is missing"},
      {"struct", R"({"best":[]})", "best is not an object"},
      {"inside a struct", R"({"best":{"name":2}})", "best.name is not a text"},
  };
  for (const Case& c : cases) {
    nlohmann::ordered_json json = ToJson(MakeOuter());
    json.merge_patch(nlohmann::ordered_json::parse(c.patch));
    const auto read = FromJson<Outer>(json);
    EXPECT_TRUE(absl::IsInvalidArgument(read.status())) << c.label;
    EXPECT_EQ(read.status().message(), c.error) << c.label;
  }
}

TEST(JsonFields, TextThatIsNoObject) {
  for (const char* const text : {"", "{", "[]", "1"}) {
    EXPECT_EQ(FromJsonText<Inner>(text).status().message(),
              "the whole is not an object")
        << text;
  }
}

}  // namespace
}  // namespace trommel

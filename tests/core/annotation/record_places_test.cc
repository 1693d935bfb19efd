#include "core/annotation/record_places.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/html/parser.h"

namespace trommel::annotation {
namespace {

// A value of a record: the ids of the elements that say it, the best first, of
// which so many are equally good, and the one that is to be chosen.
struct Value {
  int64_t record;
  std::vector<std::string> places;
  size_t num_alike;
  std::string chosen;  // empty: none
};
struct Values {
  bool is_repeated;
  std::vector<Value> values;
};
struct Case {
  const char* label;
  std::vector<Values> attributes;
};

// Three items with a title, a genre and another; and one more genre elsewhere.
constexpr char kPage[] =
    "<ul><li><h2 id=t0></h2><p><i id=a0></i><i id=b0></i></p></li>"
    "<li><h2 id=t1></h2><p><i id=a1></i><i id=b1></i></p></li>"
    "<li><h2 id=t2></h2><p><i id=a2></i><i id=b2></i></p></li></ul>"
    "<b id=z></b>";

const Case kCases[] = {
    {"equal values ascend",
     {{false,
       {{0, {"a0", "a1", "a2"}, 3, "a0"},
        {1, {"a0", "a1", "a2"}, 3, "a1"},
        {2, {"a0", "a1", "a2"}, 3, "a2"}}}}},
    {"values of a record stand together",
     {{false, {{0, {"t0"}, 1, "t0"}, {2, {"t2"}, 1, "t2"}}},
      {false, {{2, {"a0", "a1", "a2"}, 3, "a2"}}},
      {true, {{2, {"b0", "b1", "b2"}, 3, "b2"}}}}},
    {"a value too many", {{false, {{0, {"a0"}, 1, "a0"}, {1, {"a0"}, 1, ""}}}}},
    {"repeated values have no order within a record",
     {{true,
       {{0, {"a0", "b1"}, 2, "a0"},
        {0, {"b0", "a1"}, 2, "b0"},
        {1, {"a0", "b1"}, 2, "b1"},
        {1, {"b0", "a1"}, 2, "a1"}}}}},
    {"equally good places before others",
     {{true, {{0, {"a0", "z"}, 1, "a0"}, {1, {"b1", "a1"}, 1, "b1"}}}}},
    {"a better place far behind leaves the others theirs",
     {{true,
       {{0, {"z", "a0", "a1", "a2"}, 1, "a0"},
        {1, {"a0", "a1", "a2", "z"}, 4, "a1"},
        {2, {"a0", "a1", "a2", "z"}, 4, "a2"}}}}},
    {"as does one in the middle",
     {{true,
       {{0, {"a0"}, 1, "a0"},
        {1, {"b2", "a1"}, 1, "a1"},
        {2, {"a2"}, 1, "a2"},
        {2, {"a1", "b2"}, 2, "b2"}}}}},
    {"a repeated value too many",
     {{true, {{0, {"a1"}, 1, "a1"}, {1, {"a0", "a1"}, 2, ""}}}}},
};

TEST(RecordPlacesTest, ChosenPlaces) {
  html::Document document;
  ASSERT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                ->ParseUtf8(kPage, &document),
            html::ParseOutcome::kOk);
  std::map<std::string, html::NodeId> nodes;
  std::map<html::NodeId, std::string> ids;
  for (html::NodeId id = 1; id < document.num_nodes(); ++id) {
    if (!document.IsElement(id)) continue;
    ids[id] = document.Value(id, html::names::k_id);
    nodes[ids[id]] = id;
  }
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.label);
    std::vector<std::vector<ResolvedValue>> resolved;
    std::vector<RecordAttribute> attributes;
    for (const Values& given : c.attributes) {
      auto& values = resolved.emplace_back();
      for (const Value& value : given.values) {
        ResolvedValue& resolution = values.emplace_back();
        resolution.num_alike = value.num_alike;
        for (const std::string& id : value.places) {
          resolution.places.push_back(
              {ValuePlace::Fit::kWholeElement, nodes.at(id)});
        }
      }
    }
    for (size_t a = 0; a < c.attributes.size(); ++a) {
      RecordAttribute& attribute = attributes.emplace_back();
      attribute.is_repeated = c.attributes[a].is_repeated;
      for (size_t i = 0; i < resolved[a].size(); ++i) {
        attribute.values.push_back(
            {c.attributes[a].values[i].record, &resolved[a][i], nullptr});
      }
    }
    ChooseRecordPlaces(document, &attributes);
    for (size_t a = 0; a < attributes.size(); ++a) {
      for (const RecordValue& value : attributes[a].values) {
        const size_t i =
            static_cast<size_t>(value.resolved - resolved[a].data());
        EXPECT_EQ(value.place == nullptr ? "" : ids[value.place->node],
                  c.attributes[a].values[i].chosen)
            << "attribute " << a << ", value " << i;
      }
    }
  }
}

}  // namespace
}  // namespace trommel::annotation

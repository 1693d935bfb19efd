#include "jobs/summaries/any_summary.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/json_fields.h"
#include "core/base/strings.h"

namespace trommel::jobs::summaries {
namespace {

using nlohmann::ordered_json;

struct Case {
  const char* verb;
  const char* json;  // as printed, keys in order
};

constexpr Case kCases[] = {
    {"cluster", R"({"out":"o","pages":1,"sites":2,"clusters":3,"sampled":4,)"
                R"("by_signature":5,"by_sketch":6,"uncovered":7,"too_short":8,)"
                R"("alike":12,"alike_sites":13,)"
                R"("rejected":9,"coverage":0.5,"coverage_by_signature":0.25,)"
                R"("counters":{"c":10},)"
                R"("three_passes":{"clusters":11,"coverage_of_sample":0.75}})"},
    {"sample", R"({"out":"o","sites":1,"clusters":2,"clusters_sampled":3,)"
               R"("clusters_alike":6,"pages":4,"counters":{"c":5}})"},
    {"learn",
     R"({"out":"o","sites":1,"clusters":2,"done":3,"needs_annotation":4,)"
     R"("failed":5,"ignored":6,"rules":7,"annotated_pages":8,"warnings":9,)"
     R"("counters":{"c":10},"status":[{"site":"s","cluster_id":"c",)"
     R"("status":"done","next_url":null,"next_attribute":null,)"
     R"("annotated_pages":2,"reused_from":"c@x","reason":null,"doubts":)"
     R"([{"attribute":"title","url":"http://s/2","weight":0.25,"text":"t"}],)"
     R"("fill":{"title":0.5},"examples":{"title":["a"]}}],)"
     R"("next":["http://s/1"]})"},
    {"extract",
     R"({"out":"o","pages":1,"records":2,"skipped":3,"rejected":4,)"
     R"("rejects":{"no_rule":4},"bytes_read":5,"coverage":0.5,"num_sites":6,)"
     R"("sites":[{"site":"s","pages":7,"records":8,"skipped":9,)"
     R"("coverage":1.0,"rejects":{"no_rule":1},"fill_rates":{"title":0.5},)"
     R"("rules":[{"rule_id":"r","extracted":10,"matched":11,)"
     R"("fill_rates":{"title":0.25}}]}],"counters":{"c":12}})"},
    {"coverage",
     R"({"out":"o","pages":1,"sites":2,"days":{"2026-01-01":1},)"
     R"("sites_compared":3,"sites_new":4,"sites_vanished":5,)"
     R"("sites_never_crawled":6,"rejected":7,"changes":[{"counting":"placed",)"
     R"("threshold":10,"sites_by_changes":[1,2],"total":8}],"num_broken":9,)"
     R"("broken":[{"site":"s","day":"2026-01-01","clusters":1,)"
     R"("clusters_broken":2,"urls_compared":3,"urls_lost":4,"coverage":0.5,)"
     R"("drop":0.25,"change":true}]})"},
    {"compare",
     R"({"out":"o","date":"2026-01-02","records":1,"usual_records":2,)"
     R"("compared_sites":3,"sites":{"good":4,"blocked":5,"missing":6},)"
     R"("num_findings":1,"findings":[{"kind":"fill_drop",)"
     R"("severity":"critical","site":"s","schema":"movie","rule_id":"",)"
     R"("attribute":"title","before":0.5,"after":0.25,"affected":7,)"
     R"("message":"why","example_urls":["http://s/1"]}],)"
     R"("counters":{"c":8}})"},
    {"monitor",
     R"({"out":"o","sites":{"fine":1,"broken":2,"changed":3,"unknown":4},)"
     R"("rules":{"fine":5,"broken":6,"unknown":7},"bellwethers":{"all":1,)"
     R"("present":2,"absent":3,"placed_by_signature":4,"placed_by_sketch":5,)"
     R"("signature_changed":6,"null_extraction":7,"wrong_extraction":8,)"
     R"("failed":9,"saved_by_fields":10},"flagged_sites":[{"site":"s",)"
     R"("verdict":"changed","rules":1,"broken":2,"share_of_rules":0.5,)"
     R"("share_of_urls":0.25,"reasons":["why"]}],"broken_rules":[{"site":"s",)"
     R"("cluster_id":"c","rule_id":"r","verdict":"broken","bellwethers":1,)"
     R"("present":2,"signature_changed":3,"null_extraction":4,)"
     R"("wrong_extraction":5,"failed":6,"reasons":["why"]}],"notes":["n"],)"
     R"("next":["trommel reuse"],"counters":{"c":11}})"},
    {"rules publish",
     R"({"store":"s","date":"2026-01-01","version":"v000002",)"
     R"("base":"v000001","rules":1,"learnt":2,"reused":3,"probation":4,)"
     R"("missed":[],"withheld":[{)"
     R"("site":"s","rule_id":"r","reason":"why"}],"withdrawn":[],)"
     R"("restored":[],"pinned":[],"attributes":[{"site":"s","rule_id":"r",)"
     R"("attribute":"a","off":true,"reason":"why"}],"switched_off":[{)"
     R"("site":"s","rule_id":"r","attribute":"a","since":"2026-01-01",)"
     R"("reason":"why"}]})"},
    {"reuse",
     R"({"out":"o","clusters":1,"reused":2,"repaired":3,"annotate":4,)"
     R"("ignored":5,"reused_by":{"cluster_match":6,"page_match":7,)"
     R"("page_match_by_sketch":8,"field_test":9},)"
     R"("reused_without_shared_urls":10,"rules":11,"rules_before":12,)"
     R"("rules_reused_by_cluster_match":13,"rules_retired":14,)"
     R"("rules_of_other_sites":15,"rules_of_absent_sites":16,)"
     R"("absent_sites":17,"to_annotate":[{"site":"s","cluster_id":"c",)"
     R"("pages":1,"next_url":"http://s/1","reason":"why"}],"num_sites":18,)"
     R"("sites":[{"site":"s","clusters":1,"pages":2,"coverage_drop":0.5,)"
     R"("reused":0.25,"drop_plus_reused":0.75,"repaired":0.0,)"
     R"("to_annotate":1.0}],"counters":{"c":19}})"},
};

TEST(AnySummary, HasACaseForEachVerb) {
  EXPECT_EQ(std::size(kCases) + 1, std::variant_size_v<AnySummary>);
}

TEST(AnySummary, RoundTrip) {
  for (const Case& c : kCases) {
    const auto summary = ParseSummary(c.verb, ordered_json::parse(c.json));
    ASSERT_TRUE(summary.ok()) << summary.status();
    EXPECT_EQ(JsonLineText(SummaryJson(*summary)), c.json) << c.verb;
  }
}

TEST(AnySummary, MonitorTellsOfRecordsIfItComparedThem) {
  Monitor monitor;
  EXPECT_FALSE(ToJson(monitor).contains("attributes"));
  EXPECT_FALSE(ToJson(monitor).contains("drift"));
  monitor.attributes = {1, 2, 3};
  monitor.drift = {{"s", "movie", "title", "drifted", {"why"}}};
  const ordered_json json = ToJson(monitor);
  EXPECT_EQ(json["attributes"].dump(), R"({"fine":1,"drifted":2,"unknown":3})");
  EXPECT_EQ(json["drift"].dump(),
            R"([{"site":"s","schema":"movie","attribute":"title",)"
            R"("state":"drifted","reasons":["why"]}])");
  const auto summary = ParseSummary(Monitor::kVerb, json);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(SummaryJson(*summary), json);
}

TEST(AnySummary, EveryKeyIsRequired) {
  for (const Case& c : kCases) {
    const ordered_json whole = ordered_json::parse(c.json);
    for (const auto& [key, value] : whole.items()) {
      ordered_json json = whole;
      json.erase(key);
      EXPECT_EQ(ParseSummary(c.verb, json).status().message(),
                StrCat("what trommel ", c.verb, " --json printed: ", key,
                       " is missing"));
      json[key] = nullptr;
      EXPECT_TRUE(absl::IsInvalidArgument(ParseSummary(c.verb, json).status()))
          << c.verb << ": " << key;
    }
  }
}

TEST(AnySummary, VerbThatNobodyKnows) {
  EXPECT_TRUE(
      absl::IsInternal(ParseSummary("stats", ordered_json::object()).status()));
  EXPECT_TRUE(SummaryJson(AnySummary()).is_null());
}

}  // namespace
}  // namespace trommel::jobs::summaries

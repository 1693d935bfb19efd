#include "core/learn/bellwethers.h"

#include "core/record/record.h"

namespace trommel::learn {
namespace {

constexpr int kMaxBellwethers = 20;

}  // namespace

void AddSamplePages(const std::vector<LearnPage>& pages,
                    const std::set<std::string>& annotated, proto::Rule* rule) {
  for (const LearnPage& page : pages) {
    proto::SamplePage* const sample = rule->add_sample_page();
    sample->set_url(page.url);
    sample->set_content_digest(page.content_digest);
    sample->set_annotated(annotated.count(page.url) > 0);
  }
}

void AddBellwethers(const rule::PageExtractor& extractor,
                    const std::vector<LearnPage>& pages, proto::Rule* rule) {
  for (const LearnPage& page : pages) {
    if (rule->bellwether_size() == kMaxBellwethers) return;
    const std::vector<record::Record> records = record::CompleteRecords(
        rule->schema(), extractor.Extract(page.document, page.url));
    if (records.empty()) continue;
    *rule->add_bellwether() =
        record::ToProto(rule->schema(), page.url, records);
  }
}

}  // namespace trommel::learn

#include "core/learn/vertex/attribute_task.h"

#include <map>
#include <utility>

#include "core/schema/schema.h"

// Pages say things twice: a title in a heading and in the trail of links above
// it, where it may be cut off on some pages; a link and its address. Which of
// the places the editor means, nobody knows as long as both say the same, so
// all of them are learnt from.

namespace trommel::learn::vertex {

SampleTasks::SampleTasks(const LearnInput& input,
                         std::function<bool()> is_out_of_time)
    : input_(input), is_out_of_time_(std::move(is_out_of_time)) {
  for (const LearnPage& page : *input.pages) {
    facts_.emplace_back(page.document);
    texts_.emplace_back(page.document);
    pages_.push_back({&texts_.back(), page.url});
  }
  placed_ =
      annotation::PlaceAnnotations(*input.schema, input.annotations, pages_);
}

bool SampleTasks::HasSeveralRecords() const {
  std::map<size_t, int64_t> records;  // one of each page
  for (const annotation::PlacedAttribute& attribute : placed_.attributes) {
    for (const annotation::PlacedValue& value : attribute.values) {
      const int64_t record = value.record.value_or(0);
      if (records.try_emplace(value.page, record).first->second != record) {
        return true;
      }
    }
  }
  return false;
}

std::vector<AttributeTask> SampleTasks::WaysOf(int attribute) const {
  const annotation::PlacedAttribute& annotated =
      placed_.attributes[static_cast<size_t>(attribute)];
  if (!annotated.is_annotated) return {};
  AttributeTask task;
  task.attribute = &input_.schema->attribute(attribute);
  task.sample = input_.pages;
  task.pages = &facts_;
  task.is_out_of_time = is_out_of_time_;
  task.values = annotated.values;
  task.negatives = annotated.negatives;
  task.absent_pages = annotated.absent_pages;
  std::vector<AttributeTask> ways = {std::move(task)};
  // Where the editor has said which node it is, no other is.
  if (!annotated.has_xpath) AddOtherWays(&ways);
  return ways;
}

void SampleTasks::AddOtherWays(std::vector<AttributeTask>* ways) const {
  constexpr size_t kMaxOtherWays = 5;
  const AttributeTask first = (*ways)[0];
  std::vector<annotation::WantedValue> wanted;
  for (const annotation::PlacedValue& value : first.values) {
    wanted.push_back({value.page, value.value, {}, {}, value.record});
    for (const annotation::PlacedValue& denied : first.negatives) {
      if (denied.page == value.page) {
        wanted.back().excluded.push_back(denied.place);
      }
    }
  }
  if (wanted.empty()) return;
  for (const std::vector<annotation::ValuePlace>& places :
       annotation::OtherWaysToPlace(pages_, wanted, first.absent_pages,
                                    schema::IsLink(*first.attribute),
                                    kMaxOtherWays)) {
    AttributeTask way = first;
    bool is_first = true;
    for (size_t i = 0; i < places.size(); ++i) {
      is_first &= places[i] == first.values[i].place;
      way.values[i].place = places[i];
    }
    if (!is_first) ways->push_back(std::move(way));
  }
}

}  // namespace trommel::learn::vertex

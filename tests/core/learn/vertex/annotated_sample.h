#ifndef TROMMEL_TESTS_CORE_LEARN_VERTEX_ANNOTATED_SAMPLE_H_
#define TROMMEL_TESTS_CORE_LEARN_VERTEX_ANNOTATED_SAMPLE_H_

// A few pages with annotations of one attribute, as the parts of the Vertex
// learner get them.

#include <memory>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/learn/learner.h"
#include "core/learn/vertex/attribute_task.h"
#include "tests/core/learn/sample_pages.h"

namespace trommel::testing_support {

class AnnotatedSample {
 public:
  // `traits` are further fields of the attribute: "repeated: true".
  explicit AnnotatedSample(const std::string& traits = "")
      : schema_(SchemaOf(
            StrCat("name: 's' attribute { name: 'a' ", traits, " }"))) {}

  // Adds a page, and annotates it if there are values.
  void Page(const std::string& html,
            const std::vector<std::string>& values = {}) {
    pages_.push_back(PageOf(StrCat("http://a.example/", pages_.size()), html));
    for (const std::string& value : values) {
      annotations_.push_back(ValueOf(pages_.back().url, "a", value));
    }
  }
  // Adds a page that does not have the attribute.
  void AbsentPage(const std::string& html) {
    Page(html);
    annotations_.push_back(AnnotationOf(annotation::Annotation::Kind::kAbsent,
                                        pages_.back().url, "a"));
  }

  std::vector<annotation::Annotation>& annotations() { return annotations_; }
  const std::vector<learn::LearnPage>& pages() const { return pages_; }
  const proto::Schema& schema() const { return schema_; }

  // After all pages were added. What it returns points to the sample.
  const learn::vertex::SampleTasks& Tasks() {
    input_.schema = &schema_;
    input_.pages = &pages_;
    input_.annotations = annotations_;
    tasks_ = std::make_unique<learn::vertex::SampleTasks>(input_,
                                                          [] { return false; });
    return *tasks_;
  }
  std::vector<learn::vertex::AttributeTask> Ways() { return Tasks().WaysOf(0); }
  // The best way.
  learn::vertex::AttributeTask Task() {
    const std::vector<learn::vertex::AttributeTask> ways = Ways();
    EXPECT_FALSE(ways.empty());
    return ways.empty() ? learn::vertex::AttributeTask() : ways[0];
  }

  // What an extractor says of each page.
  std::vector<std::vector<std::string>> ValuesOf(
      const proto::Extractor& extractor) const {
    proto::Rule rule;
    *rule.mutable_schema() = schema_;
    proto::AttributeRule attribute;
    attribute.set_name("a");
    *attribute.add_alternative() = extractor;
    rule::fields::AddAttributeRule(std::move(attribute),
                                   rule.mutable_program());
    const auto compiled = Compiled(rule);
    std::vector<std::vector<std::string>> values;
    for (const learn::LearnPage& page : pages_) {
      values.push_back(
          compiled->Opinions(page.document, page.url)[0][0].values);
    }
    return values;
  }

 private:
  const proto::Schema schema_;
  std::vector<learn::LearnPage> pages_;
  std::vector<annotation::Annotation> annotations_;
  learn::LearnInput input_;
  std::unique_ptr<learn::vertex::SampleTasks> tasks_;
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_CORE_LEARN_VERTEX_ANNOTATED_SAMPLE_H_

#ifndef TROMMEL_TESTS_JOBS_REPORT_PARSED_REPORT_H_
#define TROMMEL_TESTS_JOBS_REPORT_PARSED_REPORT_H_

// A report as a browser reads it.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/html/document.h"
#include "core/html/parser.h"

namespace trommel::jobs::report {

class ParsedReport {
 public:
  explicit ParsedReport(const std::string& markup) {
    EXPECT_EQ(ValidUtf8Prefix(markup), markup.size());
    EXPECT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                  ->ParseUtf8(markup, &document_),
              html::ParseOutcome::kOk);
  }

  std::vector<html::NodeId> Elements(std::string_view tag) const {
    std::vector<html::NodeId> found;
    for (html::NodeId id = 0; id < document_.num_nodes(); ++id) {
      if (document_.IsElement(id) && document_.TagOf(id) == tag) {
        found.push_back(id);
      }
    }
    return found;
  }
  std::string TextOf(html::NodeId root) const {
    std::string text;
    for (html::NodeId id = root; id < document_.node(root).subtree_end; ++id) {
      if (document_.IsText(id)) text += document_.Text(id);
    }
    return text;
  }
  std::vector<std::string> Texts(std::string_view tag) const {
    std::vector<std::string> texts;
    for (const html::NodeId id : Elements(tag)) texts.push_back(TextOf(id));
    return texts;
  }
  std::string ValueOf(html::NodeId id, std::string_view attribute) const {
    const html::NameId name = document_.FindName(attribute);
    return name == html::names::kNone ? std::string()
                                      : std::string(document_.Value(id, name));
  }
  bool Has(html::NodeId id, std::string_view attribute) const {
    const html::NameId name = document_.FindName(attribute);
    return name != html::names::kNone &&
           document_.Value(id, name).data() != nullptr;
  }
  std::vector<std::string> Values(std::string_view tag,
                                  std::string_view attribute) const {
    std::vector<std::string> values;
    for (const html::NodeId id : Elements(tag)) {
      values.push_back(ValueOf(id, attribute));
    }
    return values;
  }

 private:
  html::Document document_;
};

}  // namespace trommel::jobs::report

#endif  // TROMMEL_TESTS_JOBS_REPORT_PARSED_REPORT_H_

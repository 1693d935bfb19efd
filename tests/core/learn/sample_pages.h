#ifndef TROMMEL_TESTS_CORE_LEARN_SAMPLE_PAGES_H_
#define TROMMEL_TESTS_CORE_LEARN_SAMPLE_PAGES_H_

// Pages, annotations and rules, as tests of learning write them down.

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/annotation/annotation.h"
#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/learn/learner.h"
#include "core/rule/fields/fields.h"
#include "core/rule/program_registry.h"
#include "proto/schema.pb.h"

namespace trommel::testing_support {

inline proto::Schema SchemaOf(const std::string& text) {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &schema));
  return schema;
}

// A title, which is mandatory, and a price.
inline proto::Schema ProductSchema() {
  return SchemaOf(
      "name: 's' attribute { name: 'title' mandatory: true } "
      "attribute { name: 'price' }");
}

inline std::string Product(int i) {
  return StrCat("<h1>Title ", i, "</h1><b class=price>$", i, "</b><i>x</i>");
}

inline learn::LearnPage PageOf(const std::string& url,
                               const std::string& html) {
  learn::LearnPage page;
  page.url = url;
  page.content_digest = StrCat("digest of ", url);
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  EXPECT_EQ(parser->ParseUtf8(html, &page.document), html::ParseOutcome::kOk);
  return page;
}

inline annotation::Annotation AnnotationOf(
    annotation::Annotation::Kind kind, const std::string& url,
    const std::string& attribute = "", const std::string& value = "",
    std::optional<int64_t> record = std::nullopt) {
  return {/*line=*/1, kind,         url,   attribute,
          value,      /*xpath=*/"", record};
}

inline annotation::Annotation ValueOf(
    const std::string& url, const std::string& attribute,
    const std::string& value, std::optional<int64_t> record = std::nullopt) {
  return AnnotationOf(annotation::Annotation::Kind::kValue, url, attribute,
                      value, record);
}

// A rule of XPaths, some for each attribute of the schema.
inline proto::Rule FieldsRule(
    const proto::Schema& schema,
    const std::vector<std::vector<std::string>>& xpaths) {
  proto::Rule rule;
  *rule.mutable_schema() = schema;
  rule.mutable_program()->mutable_fields();
  for (size_t i = 0; i < xpaths.size(); ++i) {
    proto::AttributeRule attribute;
    attribute.set_name(schema.attribute(static_cast<int>(i)).name());
    for (const std::string& xpath : xpaths[i]) {
      attribute.add_alternative()->set_xpath(xpath);
    }
    if (!xpaths[i].empty()) {
      rule::fields::AddAttributeRule(std::move(attribute),
                                     rule.mutable_program());
    }
  }
  return rule;
}

inline std::unique_ptr<rule::PageExtractor> Compiled(const proto::Rule& rule) {
  auto extractor = rule::CompileRule(rule);
  EXPECT_TRUE(extractor.ok()) << extractor.status();
  return extractor.ok() ? *std::move(extractor) : nullptr;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_CORE_LEARN_SAMPLE_PAGES_H_

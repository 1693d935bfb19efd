// check_annotations SPEC.json EXPORT.jsonl: whether the reader of annotations
// accepts what an annotation page exported, and its XPaths lead to nodes that
// say the values. SPEC is that of write_annotate_page, with a schema.
#include <cstdio>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/annotation/annotation.h"
#include "core/annotation/resolve.h"
#include "core/html/parser.h"
#include "jobs/textproto/schema_file.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::annotate_page {
namespace {

using testing_support::ReadWholeFile;

int Main(const std::string& spec_file, const std::string& export_file) {
  const nlohmann::json spec = nlohmann::json::parse(ReadWholeFile(spec_file));
  const auto schema =
      textproto::ReadSchemaFile(spec.at("schema").get<std::string>());
  if (!schema.ok()) {
    std::fprintf(stderr, "%s\n", schema.status().ToString().c_str());
    return 1;
  }
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  std::deque<html::Document> documents;
  std::deque<annotation::PageText> texts;
  std::vector<annotation::ResolvePage> pages;
  std::map<std::string, size_t> page_of;
  std::set<std::string> urls;
  for (const nlohmann::json& cluster : spec.at("clusters")) {
    for (const nlohmann::json& page : cluster.at("pages")) {
      html::Document& document = documents.emplace_back();
      parser->ParsePage(ReadWholeFile(page.at("file")), "", &document);
      texts.emplace_back(document);
      const auto url = urls.insert(page.at("url")).first;
      page_of[*url] = pages.size();
      pages.push_back({&texts.back(), *url});
    }
  }
  const std::string text = ReadWholeFile(export_file);
  std::vector<annotation::AnnotationProblem> problems;
  std::vector<annotation::Annotation> annotations =
      annotation::ParseAnnotations(text, &problems);
  for (const auto& more : {annotation::FindErrors(annotations, *schema, urls),
                           annotation::RemoveContradictions(&annotations)}) {
    problems.insert(problems.end(), more.begin(), more.end());
  }
  size_t resolved = 0;
  for (const annotation::Annotation& annotation : annotations) {
    if (annotation.kind != annotation::Annotation::Kind::kValue) continue;
    const annotation::WantedValue wanted = {page_of[annotation.url],
                                            annotation.value, annotation.xpath};
    const annotation::ResolvedValue result =
        annotation::ResolveValues(pages, {wanted}, {}, /*is_link=*/false)[0];
    if (result.places.empty() || !result.xpath_problem.empty()) {
      problems.push_back(
          {annotation.line, annotation.xpath + ": " + result.xpath_problem});
    }
    ++resolved;
  }
  std::fprintf(stderr, "%s\n%zu annotations, %zu values\n",
               annotation::DescribeProblems(export_file, problems).c_str(),
               annotations.size(), resolved);
  return problems.empty() && resolved > 0 ? 0 : 1;
}

}  // namespace
}  // namespace trommel::jobs::annotate_page

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: check_annotations SPEC.json EXPORT.jsonl\n");
    return 2;
  }
  return trommel::jobs::annotate_page::Main(argv[1], argv[2]);
}

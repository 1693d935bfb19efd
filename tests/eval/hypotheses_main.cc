// hypotheses SCHEMA SAMPLE OTHERS TRUTH SEED|URL...: the hypotheses of the
// Vertex learner about each attribute, with their clues and how often they are
// right.
//
// SCHEMA is a textproto; SAMPLE and OTHERS are pages as JSON lines, the sample
// in its order; TRUTH says the values of all. For one to four annotated pages,
// the first of the sample and others that the seed chooses, prints a line of
// JSON (or with URLs, for these pages alone) for each hypothesis: what it was
// learnt from, its clues by name, and the share of OTHERS on which it is right.
// fit_plausibility.py makes weights of them.

#include <google/protobuf/text_format.h>

#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/annotation/page_text.h"
#include "core/base/random.h"
#include "core/html/parser.h"
#include "core/jsonl/page_line.h"
#include "core/learn/learner.h"
#include "core/learn/vertex/attribute_learner.h"
#include "core/learn/vertex/attribute_task.h"
#include "core/learn/vertex/plausibility.h"
#include "core/rule/fields/fields.h"
#include "core/rule/fields/fields_extractor.h"

namespace {

using trommel::annotation::Annotation;
using trommel::annotation::WithoutSpace;
using trommel::learn::LearnPage;
using trommel::learn::vertex::Hypothesis;
using Truth =
    std::map<std::string, std::map<std::string, std::vector<std::string>>>;

std::vector<LearnPage> ReadPages(const char* path) {
  const auto parser =
      trommel::html::MakeParser(trommel::html::ParserKind::kDirect, {});
  std::vector<LearnPage> pages;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto page = trommel::jsonl::ParsePageLine(line);
    if (!page.ok()) continue;
    LearnPage& read = pages.emplace_back();
    read.url = page->url;
    if (parser->ParsePage(page->content, page->charset, &read.document) !=
        trommel::html::ParseOutcome::kOk) {
      pages.pop_back();
    }
  }
  return pages;
}

Truth ReadTruth(const char* path) {
  Truth truth;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    for (const auto& [name, values] : json["values"].items()) {
      truth[json["url"]][name] = values.get<std::vector<std::string>>();
    }
  }
  return truth;
}

std::vector<Annotation> Annotate(const trommel::proto::Schema& schema,
                                 const Truth& truth, const std::string& url) {
  std::vector<Annotation> annotations;
  for (const auto& attribute : schema.attribute()) {
    const auto values = truth.at(url).find(attribute.name());
    if (values == truth.at(url).end()) continue;
    Annotation annotation;
    annotation.url = url;
    annotation.attribute = attribute.name();
    if (values->second.empty()) {
      annotation.kind = Annotation::Kind::kAbsent;
      annotations.push_back(annotation);
    }
    for (const std::string& value : values->second) {
      annotation.kind = Annotation::Kind::kValue;
      annotation.value = value;
      annotations.push_back(annotation);
      if (!attribute.repeated()) break;
    }
  }
  return annotations;
}

bool IsRight(bool is_repeated, const std::vector<std::string>& found,
             const std::vector<std::string>& wanted) {
  std::set<std::string> a, b;
  for (const std::string& value : found) a.insert(WithoutSpace(value));
  for (const std::string& value : wanted) b.insert(WithoutSpace(value));
  if (is_repeated || b.empty()) return a == b;
  return a.size() == 1 && b.count(*a.begin()) > 0;
}

void Print(const trommel::proto::Attribute& attribute, size_t num_annotated,
           const std::vector<Hypothesis>& hypotheses,
           const std::vector<LearnPage>& others, const Truth& truth) {
  trommel::proto::Rule rule;
  *rule.mutable_schema()->add_attribute() = attribute;
  trommel::proto::AttributeRule attribute_rule;
  attribute_rule.set_name(attribute.name());
  for (const Hypothesis& hypothesis : hypotheses) {
    *attribute_rule.add_alternative() = hypothesis.extractor;
  }
  trommel::rule::fields::AddAttributeRule(attribute_rule,
                                          rule.mutable_program());
  const auto extractor = trommel::rule::fields::CompileFields(rule);
  if (!extractor.ok()) return;
  std::vector<double> right(hypotheses.size());
  double all = 0;
  for (const LearnPage& page : others) {
    const auto values = truth.at(page.url).find(attribute.name());
    if (values == truth.at(page.url).end()) continue;
    const auto opinions = (*extractor)->Opinions(page.document, page.url);
    for (size_t h = 0; h < hypotheses.size(); ++h) {
      right[h] +=
          IsRight(attribute.repeated(), opinions[0][h].values, values->second)
              ? 1
              : 0;
    }
    ++all;
  }
  for (size_t h = 0; h < hypotheses.size(); ++h) {
    nlohmann::ordered_json line;
    line["attribute"] = attribute.name();
    line["annotated"] = num_annotated;
    line["right"] = all == 0 ? 0 : right[h] / all;
    line["xpath"] = hypotheses[h].extractor.xpath();
    for (size_t c = 0; c < trommel::learn::vertex::kNumClues; ++c) {
      const auto clue = static_cast<trommel::learn::vertex::Clue>(c);
      line["clues"][std::string(ClueName(clue))] = hypotheses[h].clues[clue];
    }
    std::cout << line.dump() << "\n";
  }
}

void PrintAll(const trommel::proto::Schema& schema,
              const std::vector<LearnPage>& sample,
              const std::set<size_t>& annotated,
              const std::vector<LearnPage>& others, const Truth& truth) {
  trommel::learn::LearnInput input;
  input.schema = &schema;
  input.pages = &sample;
  for (const size_t page : annotated) {
    const auto more = Annotate(schema, truth, sample[page].url);
    input.annotations.insert(input.annotations.end(), more.begin(), more.end());
  }
  const trommel::learn::vertex::SampleTasks tasks(input, [] { return false; });
  for (int i = 0; i < schema.attribute_size(); ++i) {
    const auto ways = tasks.WaysOf(i);
    if (ways.empty()) continue;
    Print(schema.attribute(i), annotated.size(),
          trommel::learn::vertex::ExplainAnnotations(ways), others, truth);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::cerr << "hypotheses SCHEMA SAMPLE OTHERS TRUTH SEED|URL...\n";
    return 2;
  }
  std::stringstream text;
  text << std::ifstream(argv[1]).rdbuf();
  trommel::proto::Schema schema;
  if (!google::protobuf::TextFormat::ParseFromString(text.str(), &schema)) {
    return 1;
  }
  const std::vector<LearnPage> sample = ReadPages(argv[2]);
  const std::vector<LearnPage> others = ReadPages(argv[3]);
  const Truth truth = ReadTruth(argv[4]);
  const std::set<std::string> urls(argv + 5, argv + argc);
  std::set<size_t> annotated;
  for (size_t page = 0; page < sample.size(); ++page) {
    if (urls.count(sample[page].url) > 0) annotated.insert(page);
  }
  if (!annotated.empty()) {
    PrintAll(schema, sample, annotated, others, truth);
    return 0;
  }
  const uint64_t seed = std::stoull(argv[5]);
  trommel::Random random(seed);
  annotated.insert(seed % 2 == 0 ? 0 : random.Below(sample.size()));
  for (size_t count = 1; count <= 4; ++count) {
    while (annotated.size() < count) {
      annotated.insert(random.Below(sample.size()));
    }
    PrintAll(schema, sample, annotated, others, truth);
  }
  return 0;
}

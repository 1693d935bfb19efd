// Speed of the XPath matcher on real pages.
//
//   TROMMEL_BENCH_PAGES=DIR xpath_bench
//
// DIR is as for html_bench; without it, the pages are made up. Every measure
// runs over all pages of all corpora per iteration. `loop_*` are written by
// hand: what could be done at best, and what the others are divided by.
// A counter gives the time per node of the pages.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/html/document.h"
#include "core/html/parser.h"
#include "core/xpath/matcher.h"
#include "core/xpath/parser.h"

namespace trommel::xpath {
namespace {

using html::Document;
using html::NodeId;

struct Pages {
  std::vector<Document> documents;
  size_t num_nodes = 0;
};

void AddPage(std::string_view bytes, html::Parser* parser, Pages* pages) {
  Document document;
  if (parser->ParsePage(bytes, "utf-8", &document) != html::ParseOutcome::kOk) {
    return;
  }
  pages->num_nodes += document.num_nodes();
  pages->documents.push_back(std::move(document));
}

// A shop's page: navigation, a table of details, a list of offers.
std::string MadeUpPage(Random* random) {
  std::string page = "<body><ul class=nav>";
  for (int i = 0; i < 60; ++i) {
    StrAppend(&page, "<li class=item><a href=/c/", i, ">Category ", i, "</a>");
  }
  page += "</ul><div id=main class='x'><h1>Title</h1><table class=details>";
  for (int i = 0; i < 40; ++i) {
    StrAppend(&page, "<tr><td class=label>Label ", i, ":</td><td><b>Value ",
              random->Below(1000), "</b></td></tr>");
  }
  page += "</table></div>";
  for (int i = 0; i < 200; ++i) {
    StrAppend(&page, "<div class='offer o", random->Below(5),
              "'><p><span class=price>$", random->Below(100),
              "</span><em>new</em></p><p class=seller>Seller</p></div>");
  }
  return page;
}

Pages LoadPages() {
  Pages pages;
  const std::unique_ptr<html::Parser> parser =
      html::MakeParser(html::ParserKind::kLexbor, {});
  const char* const directory = std::getenv("TROMMEL_BENCH_PAGES");
  if (directory == nullptr) {
    Random random(1);
    for (int i = 0; i < 100; ++i) {
      AddPage(MadeUpPage(&random), parser.get(), &pages);
    }
    return pages;
  }
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().extension() != ".html") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    AddPage(bytes, parser.get(), &pages);
  }
  return pages;
}

template <typename PerPage>
void RunOverPages(benchmark::State& state, const Pages& pages,
                  PerPage per_page) {
  size_t selected = 0;
  for (auto _ : state) {
    for (const Document& document : pages.documents) {
      selected += per_page(document);
    }
  }
  benchmark::DoNotOptimize(selected);
  state.counters["per_node"] =
      benchmark::Counter(static_cast<double>(pages.num_nodes),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
  state.counters["selected"] = benchmark::Counter(
      static_cast<double>(selected), benchmark::Counter::kAvgIterations);
}

// Looks at each node's kind.
void LoopOverNodes(benchmark::State& state, const Pages& pages) {
  RunOverPages(state, pages, [](const Document& document) {
    size_t elements = 0;
    for (const html::Node& node : document.nodes()) {
      elements += node.kind == html::NodeKind::kElement ? 1 : 0;
      benchmark::DoNotOptimize(elements);
    }
    return elements;
  });
}

// //node()[@class="x"]/node() as one would write it for this purpose.
void LoopOverClasses(benchmark::State& state, const Pages& pages,
                     std::string_view value) {
  std::vector<NodeId> selected;
  RunOverPages(state, pages, [&](const Document& document) {
    selected.clear();
    for (NodeId id = 1; id < document.num_nodes(); ++id) {
      if (document.Value(id, html::names::k_class) != value) continue;
      for (NodeId child = id + 1; child < document.node(id).subtree_end;
           child = document.node(child).subtree_end) {
        selected.push_back(child);
      }
    }
    return selected.size();
  });
}

void SelectAll(benchmark::State& state, const Pages& pages,
               std::string_view expression) {
  const absl::StatusOr<LocationPath> path = Parse(expression);
  if (!path.ok()) return state.SkipWithError("does not parse");
  const absl::StatusOr<Matcher> matcher = Matcher::Compile(*path);
  std::vector<Match> matches;
  RunOverPages(state, pages, [&](const Document& document) {
    matcher->Select(document, &matches);
    return matches.size();
  });
}

// Every node of a page is tested from below.
void MatchEveryNode(benchmark::State& state, const Pages& pages,
                    std::string_view expression) {
  const absl::StatusOr<Matcher> matcher = Matcher::Compile(*Parse(expression));
  RunOverPages(state, pages, [&](const Document& document) {
    PageMatcher page(*matcher, document);
    size_t matching = 0;
    for (NodeId id = 0; id < document.num_nodes(); ++id) {
      matching += page.Matches(id) ? 1 : 0;
    }
    return matching;
  });
}

constexpr std::string_view kExpressions[] = {
    "//node()[@class=\"x\"]/node()",
    "//div[@class=\"x\"]/*/span/text()",
    "//td[@class=\"label\"]/text()",
    "//div/*/*[@id=\"i1\"]/node()",
    "//div[preceding-sibling::node()[2][@class=\"c1\" or @class=\"c2\"]]/*/*"
    "[@id=\"i1\"]/node()",
    "//*[contains(concat(\" \", normalize-space(@class), \" \"), \" x \")]",
    "//*[preceding::text()[normalize-space(.) != \"\"][1][.=\"Price:\"]]",
    "//*[.=\"Price:\"]",
    "/html/body/div[2]/p[1]/span/text()",
    "//tr[2]/td[2]",
};

int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const Pages pages = LoadPages();
  std::printf("%zu pages, %zu nodes\n", pages.documents.size(),
              pages.num_nodes);
  const auto add = [&](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(name.c_str(), [run, &pages](
                                                   benchmark::State& state) {
      run(state, pages);
    })->Unit(benchmark::kMicrosecond);
  };
  add("loop_over_nodes", LoopOverNodes);
  add("loop_over_classes", [](benchmark::State& state, const Pages& all) {
    LoopOverClasses(state, all, "x");
  });
  for (const std::string_view expression : kExpressions) {
    add(StrCat("select ", expression),
        [expression](benchmark::State& state, const Pages& all) {
          SelectAll(state, all, expression);
        });
  }
  add("matches //div[@class=\"x\"]/*/span/text()",
      [](benchmark::State& state, const Pages& all) {
        MatchEveryNode(state, all, "//div[@class=\"x\"]/*/span/text()");
      });
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace trommel::xpath

int main(int argc, char** argv) { return trommel::xpath::Main(argc, argv); }

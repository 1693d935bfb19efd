// Speed of the parsers, of the tag scanner and of page signatures on real
// pages.
//
//   TROMMEL_BENCH_PAGES=DIR html_bench
//
// DIR holds one folder per corpus with *.html files in UTF-8; deploy/bench
// prepares it. Every measure runs over all pages of a corpus per iteration, so
// the figures of one run can be divided by each other. "Bare" parses leave the
// library's own tree behind and read nothing from it.

#include <benchmark/benchmark.h>
#include <gumbo.h>
#include <lexbor/html/html.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/direct/direct_parser.h"
#include "core/html/document.h"
#include "core/html/parser.h"
#include "core/html/tag_scanner.h"
#include "core/signature/page_signature.h"

namespace trommel::html {
namespace {

struct Corpus {
  std::string name;
  std::vector<std::string> pages;
  size_t num_bytes = 0;
};

std::vector<std::filesystem::path> SortedEntries(
    const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    entries.push_back(entry.path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

Corpus LoadCorpus(const std::filesystem::path& directory) {
  Corpus corpus;
  corpus.name = directory.filename();
  for (const auto& file : SortedEntries(directory)) {
    if (file.extension() != ".html") continue;
    std::ifstream stream(file, std::ios::binary);
    corpus.pages.emplace_back(std::istreambuf_iterator<char>(stream),
                              std::istreambuf_iterator<char>());
    corpus.num_bytes += corpus.pages.back().size();
  }
  return corpus;
}

const lxb_char_t* Chars(const std::string& page) {
  return reinterpret_cast<const lxb_char_t*>(page.data());
}

// Runs `per_page` on each page, again and again.
template <typename PerPage>
void RunOverPages(benchmark::State& state, const Corpus& corpus,
                  PerPage per_page) {
  for (auto _ : state) {
    for (const std::string& page : corpus.pages) {
      if (!per_page(page)) state.SkipWithError("a page was not parsed");
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(corpus.num_bytes));
}

// The fastest usual way: one document, which keeps its parser and memory.
void LexborBare(benchmark::State& state, const Corpus& corpus) {
  lxb_html_document_t* const document = lxb_html_document_create();
  RunOverPages(state, corpus, [&](const std::string& page) {
    return lxb_html_document_parse(document, Chars(page), page.size()) ==
           LXB_STATUS_OK;
  });
  lxb_html_document_destroy(document);
}

void LexborFresh(benchmark::State& state, const Corpus& corpus) {
  RunOverPages(state, corpus, [](const std::string& page) {
    lxb_html_document_t* const document = lxb_html_document_create();
    const lxb_status_t status =
        lxb_html_document_parse(document, Chars(page), page.size());
    lxb_html_document_destroy(document);
    return status == LXB_STATUS_OK;
  });
}

void GumboBare(benchmark::State& state, const Corpus& corpus) {
  RunOverPages(state, corpus, [](const std::string& page) {
    GumboOutput* const output = gumbo_parse_with_options(
        &kGumboDefaultOptions, page.data(), page.size());
    gumbo_destroy_output(&kGumboDefaultOptions, output);
    return true;
  });
}

void DocumentFrom(benchmark::State& state, const Corpus& corpus,
                  Parser* parser) {
  Document document;
  size_t num_nodes = 0;
  RunOverPages(state, corpus, [&](const std::string& page) {
    const ParseOutcome outcome = parser->ParseUtf8(page, &document);
    num_nodes += document.num_nodes();
    return outcome == ParseOutcome::kOk;
  });
  benchmark::DoNotOptimize(num_nodes);
}

// Also says which share of the pages lexbor did not have to parse.
void DocumentDirect(benchmark::State& state, const Corpus& corpus) {
  direct::DirectParser parser({});
  DocumentFrom(state, corpus, &parser);
  const direct::GiveUpCounts& pages = parser.give_ups();
  state.counters["direct"] =
      static_cast<double>(pages[0]) /
      static_cast<double>(std::accumulate(pages.begin(), pages.end(), 0ull));
}

void DocumentFrom(benchmark::State& state, const Corpus& corpus,
                  ParserKind kind) {
  DocumentFrom(state, corpus, MakeParser(kind, {}).get());
}

void ScanTagsSum(benchmark::State& state, const Corpus& corpus) {
  uint64_t sum = 0;
  RunOverPages(state, corpus, [&](const std::string& page) {
    ScanTags(page, [&](const Tag& tag) { sum += tag.key; });
    return true;
  });
  benchmark::DoNotOptimize(sum);
}

void SignPages(benchmark::State& state, const Corpus& corpus) {
  signature::PageSigner signer;
  uint64_t sum = 0;
  RunOverPages(state, corpus, [&](const std::string& page) {
    const std::optional<signature::PageSignature> signature =
        signer.Sign(page, "utf-8");
    // Pages with few tags have none, and take as long to find that out.
    if (signature.has_value()) sum += signature->vector;
    return true;
  });
  benchmark::DoNotOptimize(sum);
}

void SignPagesWithWords(benchmark::State& state, const Corpus& corpus) {
  signature::PageSigner signer;
  words::PageWords words;
  int64_t sum = 0;
  RunOverPages(state, corpus, [&](const std::string& page) {
    signer.SignWithWords(page, "utf-8", "http://www.example.com/a/b.html",
                         &words);
    sum += words.count;
    return true;
  });
  benchmark::DoNotOptimize(sum);
}

void Register(const Corpus& corpus) {
  const auto add = [&](std::string_view measure, auto run) {
    benchmark::RegisterBenchmark(
        StrCat(corpus.name, "/", measure).c_str(),
        [run, &corpus](benchmark::State& state) { run(state, corpus); })
        ->Unit(benchmark::kMillisecond);
  };
  add("lexbor_bare", LexborBare);
  add("document_direct", DocumentDirect);
  add("document_lexbor", [](benchmark::State& state, const Corpus& pages) {
    DocumentFrom(state, pages, ParserKind::kLexbor);
  });
  add("scan_tags", ScanTagsSum);
  add("page_signatures", SignPages);
  add("signatures_and_words", SignPagesWithWords);
  add("lexbor_fresh", LexborFresh);
  add("gumbo_bare", GumboBare);
  add("document_gumbo", [](benchmark::State& state, const Corpus& pages) {
    DocumentFrom(state, pages, ParserKind::kGumbo);
  });
}

int Main(int argc, char** argv) {
  // lexbor gives its memory back between pages. Whether glibc then returns it
  // to the system and faults it in again depends on what else lies on the heap,
  // which costs up to a fifth; here it keeps the memory, for every measure.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const char* const directory = std::getenv("TROMMEL_BENCH_PAGES");
  if (directory == nullptr || !std::filesystem::is_directory(directory)) {
    std::fprintf(stderr, "TROMMEL_BENCH_PAGES must name a directory\n");
    return 2;
  }
  std::vector<Corpus> corpora;
  for (const auto& entry : SortedEntries(directory)) {
    if (!std::filesystem::is_directory(entry)) continue;
    Corpus corpus = LoadCorpus(entry);
    if (!corpus.pages.empty()) corpora.push_back(std::move(corpus));
  }
  if (corpora.empty()) {
    std::fprintf(stderr, "no *.html below %s\n", directory);
    return 2;
  }
  for (const Corpus& corpus : corpora) Register(corpus);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace trommel::html

int main(int argc, char** argv) { return trommel::html::Main(argc, argv); }

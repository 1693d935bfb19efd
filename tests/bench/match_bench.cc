// What matching costs as rules become many.
//
//   match_bench [ROUNDS]
//
// Pages of a made-up site with 24 templates are matched, parsed and extracted:
// once with the 24 rules of that site, and once as pages of 1,000 sites in
// turn, each with 24 rules of its own. The pages are the same but for the host
// in their URLs. Prints the processor time per page of both, least of ROUNDS,
// with the time of the matching alone, and what it takes to get 24,000 rules
// ready.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/cluster/placement.h"
#include "core/cluster/templates.h"
#include "core/html/parser.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule_index.h"
#include "core/signature/page_signature.h"
#include "core/url/pattern.h"
#include "synth/generator.h"

namespace trommel {
namespace {

constexpr int kTemplates = 24;
constexpr int kSites = 1000;
constexpr int kPagesPerTemplate = 100;

std::string HostOf(int site) { return StrCat("www.s", site, ".example"); }

double ProcessorSeconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) / 1e9;
}

std::vector<synth::GeneratedPage> MakePages() {
  proto::WebSpec spec;
  spec.set_seed(77);
  spec.set_start_date("2026-01-01");
  proto::Site* const site = spec.add_site();
  site->set_host(HostOf(0));
  site->set_vertical("movie");
  site->set_pages(kTemplates * kPagesPerTemplate);
  const char* const kinds[] = {"detail", "list", "review",  "seller",
                               "help",   "cart", "article", "search"};
  for (int i = 0; i < kTemplates; ++i) {
    proto::Template* const tmpl = site->add_template_();
    tmpl->set_kind(kinds[i % 8]);
    tmpl->set_name(StrCat(kinds[i % 8], i));
  }
  const auto web = synth::WebGenerator::Create(spec);
  std::vector<synth::GeneratedPage> pages(
      static_cast<size_t>(web->NumPages(0)));
  for (size_t i = 0; i < pages.size(); ++i) {
    web->Generate(0, static_cast<int64_t>(i), &pages[i]);
  }
  return pages;
}

// A rule for each template that clustering finds.
proto::RuleSet MakeRules(const std::vector<synth::GeneratedPage>& pages) {
  signature::PageSigner signer;
  std::vector<signature::PageSignature> signatures;
  for (const synth::GeneratedPage& page : pages) {
    signatures.push_back(*signer.Sign(page.html, page.charset));
  }
  const cluster::SiteTemplates templates(cluster::MergedTemplates(signatures));
  std::vector<url::UrlPattern> urls(templates.templates().size());
  for (size_t i = 0; i < pages.size(); ++i) {
    const std::optional<cluster::Placement> placement =
        templates.Place(signatures[i]);
    if (placement.has_value()) urls[placement->place].Add(pages[i].url);
  }
  proto::RuleSet rules;
  for (size_t i = 0; i < templates.templates().size(); ++i) {
    const cluster::Template& tmpl = templates.templates()[i];
    proto::Rule* const rule = rules.add_rule();
    rule->set_site(HostOf(0));
    rule->set_cluster_id(cluster::ClusterId(HostOf(0), tmpl));
    rule->set_shingle_length(signature::kDefaultShingleLength);
    rule->set_importance(tmpl.Importance());
    rule->set_url_regex(urls[i].Regex());
    if (tmpl.sketch.has_value()) rule->set_sketch(tmpl.sketch->Encode());
    for (const cluster::Signature& signature : tmpl.signatures) {
      proto::Signature* const added = rule->add_signature();
      added->set_signature(signature.vector.Text());
      added->set_importance(signature.importance);
    }
    rule->mutable_schema()->set_name("movie");
    for (const char* const name : {"title", "genre", "director", "rating"}) {
      rule->mutable_schema()->add_attribute()->set_name(name);
      proto::AttributeRule* const attribute =
          rule->mutable_program()->mutable_fields()->add_attribute();
      attribute->set_name(name);
      attribute->add_alternative()->set_xpath("//h1/text()");
      attribute->add_alternative()->set_xpath(
          StrCat("//text()[preceding::text()[1][normalize-space(.)=\"", name,
                 ":\"]]"));
    }
  }
  return rules;
}

std::string Replace(std::string text, const std::string& from,
                    const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The rules of the one site as those of many.
proto::RuleSet CopyForSites(const proto::RuleSet& rules, int sites) {
  proto::RuleSet copies;
  for (int site = 0; site < sites; ++site) {
    for (const proto::Rule& rule : rules.rule()) {
      proto::Rule* const copy = copies.add_rule();
      *copy = rule;
      copy->set_site(HostOf(site));
      copy->set_cluster_id(StrCat(rule.cluster_id(), "-", site));
      copy->set_url_regex(Replace(rule.url_regex(), "www\\.s0\\.",
                                  StrCat("www\\.s", site, "\\.")));
    }
  }
  return copies;
}

struct Cost {
  double ready = 0;  // before the first page, and for the rules of all sites
  double match = 0;  // of a page
  double all = 0;
  int64_t matched = 0;
};

class Measurement {
 public:
  Measurement(const std::vector<synth::GeneratedPage>& pages,
              const proto::RuleSet& rules, int sites)
      : pages_(pages) {
    for (size_t i = 0; i < pages.size(); ++i) {
      const int site = static_cast<int>(i * 7919 % static_cast<size_t>(sites));
      sites_.push_back(HostOf(site));
      urls_.push_back(Replace(pages[i].url, HostOf(0), HostOf(site)));
    }
    const double start = ProcessorSeconds();
    index_ = *rule::RuleIndex::Create(CopyForSites(rules, sites));
    for (int site = 0; site < sites; ++site) {
      if (!index_->Find(HostOf(site)).ok()) std::abort();
    }
    cost_.ready = ProcessorSeconds() - start;
    cost_.match = cost_.all = 1e9;
    // Compiled once in a task; here the copies of a rule are the same.
    for (const proto::Rule& rule : rules.rule()) {
      extractors_.push_back(*rule::CompileRule(rule));
    }
  }

  void Round() {
    double start = ProcessorSeconds();
    Run(/*match_only=*/true);
    cost_.match = std::min(cost_.match, PerPage(start));
    start = ProcessorSeconds();
    cost_.matched = Run(/*match_only=*/false);
    cost_.all = std::min(cost_.all, PerPage(start));
  }
  const Cost& cost() const { return cost_; }

 private:
  double PerPage(double start) const {
    return (ProcessorSeconds() - start) / static_cast<double>(pages_.size());
  }

  int64_t Run(bool match_only) {
    int64_t matched = 0;
    for (size_t i = 0; i < pages_.size(); ++i) {
      const rule::SiteRules* const site = *index_->Find(sites_[i]);
      site->MatchUrl(urls_[i], &candidates_);
      if (candidates_.empty()) continue;
      const auto signature = signer_.Sign(pages_[i].html, pages_[i].charset);
      const std::optional<rule::RuleMatch> match =
          site->Match(*signature, candidates_);
      if (!match.has_value()) continue;
      ++matched;
      if (match_only) continue;
      parser_->ParsePage(pages_[i].html, pages_[i].charset, &document_);
      extractors_[match->rule % extractors_.size()]->Extract(document_,
                                                             urls_[i]);
    }
    return matched;
  }

  const std::vector<synth::GeneratedPage>& pages_;
  std::vector<std::string> sites_;
  std::vector<std::string> urls_;
  std::optional<rule::RuleIndex> index_;
  std::vector<std::unique_ptr<rule::PageExtractor>> extractors_;
  signature::PageSigner signer_;
  const std::unique_ptr<html::Parser> parser_ =
      html::MakeParser(html::ParserKind::kDirect, {});
  html::Document document_;
  std::vector<size_t> candidates_;
  Cost cost_;
};

int Main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::vector<synth::GeneratedPage> pages = MakePages();
  const proto::RuleSet rules = MakeRules(pages);
  Measurement one(pages, rules, 1);
  Measurement many(pages, rules, kSites);
  for (int round = 0; round < rounds; ++round) {
    one.Round();
    many.Round();
  }
  size_t bytes = 0;
  for (const synth::GeneratedPage& page : pages) bytes += page.html.size();
  std::printf("%zu pages of %zu KB, %d rules a site\n", pages.size(),
              bytes / pages.size() / 1000, rules.rule_size());
  const auto print = [](const char* name, const Cost& cost) {
    std::printf(
        "%-12s %8.1f us a page, of these matching %6.1f us; "
        "%lld matched; ready in %.1f ms\n",
        name, cost.all * 1e6, cost.match * 1e6,
        static_cast<long long>(cost.matched), cost.ready * 1e3);
  };
  print("one site", one.cost());
  print("1,000 sites", many.cost());
  std::printf("1,000 sites / one site: %.3f\n",
              many.cost().all / one.cost().all);
  return 0;
}

}  // namespace
}  // namespace trommel

int main(int argc, char** argv) { return trommel::Main(argc, argv); }

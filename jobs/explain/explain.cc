#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/html/encoding.h"
#include "core/html/parser.h"
#include "core/rule/rule_index.h"
#include "jobs/explain/decisions.h"
#include "jobs/explain/explanation.h"
#include "jobs/page/admission.h"
#include "jobs/page/page_flags.h"
#include "jobs/registry.h"
#include "jobs/tables/rule_files.h"
#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::explain {
namespace {

struct FoundPage {
  std::string content;
  std::string charset;
  // Why extraction would not look at it.
  std::optional<std::string> rejection;
  int64_t versions = 1;
};

class ExplainVerb final : public cli::Verb {
 public:
  ExplainVerb() : Verb("explain", kExplainHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Positional("PAGE", &pages_, "page file or URI").Input();
    flags->Texts("rules", &rules_, "output of trommel learn")
        .Input(cli::FolderReading::kByName)
        .Required();
    flags->Text("url", &url_, "the page's URL").NotAPath();
    flags
        ->Text("cluster", &cluster_,
               "instead of a page: what trommel reuse decided on this cluster")
        .NotAPath();
    flags->Texts("crawl", &crawls_, "where to look for the page").Input();
    flags
        ->Text("charset", &charset_,
               "charset of the page file, as in content_charset")
        .NotAPath();
    page_.Define(flags);
  }

  absl::Status CheckFlags() const override {
    if (!cluster_.empty()) {
      if (url_.empty() && pages_.empty() && crawls_.empty()) {
        return absl::OkStatus();
      }
      return absl::InvalidArgumentError("--cluster goes without a page");
    }
    if (url_.empty()) {
      return absl::InvalidArgumentError("--url is missing (or --cluster)");
    }
    if (pages_.size() + (crawls_.empty() ? 0 : 1) != 1) {
      return absl::InvalidArgumentError(
          "explain takes a page file, or --crawl, and not both");
    }
    if (!charset_.empty() && !html::Encoding::FromLabel(charset_).known()) {
      return absl::InvalidArgumentError(
          StrCat("--charset: unknown charset \"", charset_, "\""));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Path> files,
                             tables::FindRulesFiles(rules_));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<tables::DecisionRow> decisions,
                             ReadDecisions(files));
    if (!cluster_.empty()) return ExplainCluster(decisions);
    TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet rules,
                             tables::ReadRuleFiles(files));
    TROMMEL_ASSIGN_OR_RETURN(
        rule_runner::RuleRunner runner,
        rule_runner::RuleRunner::Create(std::move(rules), page_));
    TROMMEL_ASSIGN_OR_RETURN(const FoundPage page, FindPage());

    cli::Report report;
    nlohmann::ordered_json& json = *report.json;
    json["url"] = url_;
    json["bytes"] = page.content.size();
    StrAppend(&report.text, "page: ", Printable(url_), ", ",
              Counted(static_cast<int64_t>(page.content.size()), "byte"),
              page.versions > 1
                  ? StrCat(", the latest of ", page.versions, " versions")
                  : "",
              "\n");
    if (page.rejection.has_value()) {
      json["rejected"] = *page.rejection;
      StrAppend(&report.text,
                "rejected before any rule: ", Printable(*page.rejection), "\n");
      return report;
    }
    const io::CrawlPage crawled = {
        .url = url_, .content = page.content, .charset = page.charset};
    TROMMEL_ASSIGN_OR_RETURN(const Choice choice, ChooseRule(crawled, &runner));
    json.update(ChoiceAsJson(choice));
    AppendChoice(choice, &report.text);
    if (choice.Chosen() == nullptr) {
      AppendClustersWithoutRule(decisions, choice.site, &report.text);
      return report;
    }
    const proto::Rule& rule = *choice.Chosen()->rule;
    const absl::StatusOr<tables::DecisionRow> decision =
        FindDecision(decisions, rule.cluster_id());
    if (decision.ok()) {
      json["reuse"] = DecisionAsJson(*decision);
      AppendDecision(*decision, &report.text);
    }

    const html::ParseOutcome outcome = runner.Parse(crawled);
    if (outcome != html::ParseOutcome::kOk) {
      json["rejected"] = html::ToString(outcome);
      StrAppend(&report.text,
                "rejected by the parser: ", html::ToString(outcome), "\n");
      return report;
    }
    TROMMEL_ASSIGN_OR_RETURN(const ExplainedPage explained,
                             ExplainExtraction(rule, url_, &runner));
    json.update(ExtractionAsJson(explained, runner.document()));
    AppendExtraction(explained, runner.document(), &report.text);
    return report;
  }

 private:
  absl::StatusOr<cli::Report> ExplainCluster(
      const std::vector<tables::DecisionRow>& decisions) const {
    TROMMEL_ASSIGN_OR_RETURN(const tables::DecisionRow decision,
                             FindDecision(decisions, cluster_));
    cli::Report report;
    *report.json = DecisionAsJson(decision);
    AppendDecision(decision, &report.text);
    return report;
  }

  absl::StatusOr<FoundPage> FindPage() const {
    if (!crawls_.empty()) return FindInCrawls();
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(pages_[0]));
    FoundPage page;
    page.charset = charset_;
    TROMMEL_ASSIGN_OR_RETURN(page.content, io::ReadFile(path));
    Judge({.url = url_, .content = page.content}, &page);
    return page;
  }

  void Judge(const io::CrawlPage& row, FoundPage* page) const {
    const std::optional<page::Rejection> rejection =
        page::WhyRejected(row, page_);
    if (!rejection.has_value()) return;
    page->rejection =
        rejection->detail.empty()
            ? std::string(rejection->reason)
            : StrCat(rejection->reason, " (", rejection->detail, ")");
  }

  // The version that samples would have: the latest, then the one with the
  // smallest digest. Contents are read only of files that have the URL.
  absl::StatusOr<FoundPage> FindInCrawls() const {
    std::optional<FoundPage> best;
    std::pair<int64_t, std::string> best_version;
    int64_t versions = 0;
    for (const std::string& crawl : crawls_) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(crawl));
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                               io::ListTableFiles(path));
      for (const io::Entry& file : files) {
        TROMMEL_ASSIGN_OR_RETURN(const bool has_url, HasUrl(file.path));
        if (!has_url) continue;
        TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::CrawlReader> pages,
                                 io::CrawlReader::Open({file.path.Absolute()}));
        io::CrawlPage row;
        while (true) {
          TROMMEL_ASSIGN_OR_RETURN(const bool more, pages->Next(&row));
          if (!more) break;
          if (row.url != url_) continue;
          ++versions;
          std::pair<int64_t, std::string> version = {
              row.fetch_time_us.has_value()
                  ? -*row.fetch_time_us
                  : std::numeric_limits<int64_t>::max(),
              ContentDigest(row.content)};
          if (best.has_value() && best_version <= version) continue;
          best_version = std::move(version);
          best.emplace();
          best->content = row.content;
          best->charset = row.charset;
          Judge(row, &*best);
        }
      }
    }
    if (!best.has_value()) {
      return absl::NotFoundError(
          StrCat("no page ", Printable(url_), " is in the crawl"));
    }
    best->versions = versions;
    return *std::move(best);
  }

  absl::StatusOr<bool> HasUrl(const io::Path& file) const {
    io::CrawlColumns columns;
    columns.content = columns.fetch_time = columns.fetch_status = false;
    columns.charset = columns.mime_type = columns.truncated = false;
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::CrawlReader> pages,
                             io::CrawlReader::Open({file.Absolute()}, columns));
    io::CrawlPage row;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, pages->Next(&row));
      if (!more) return false;
      if (row.url == url_) return true;
    }
  }

  std::vector<std::string> pages_;
  std::vector<std::string> rules_;
  std::string url_;
  std::string cluster_;
  std::vector<std::string> crawls_;
  std::string charset_;
  page::PageFlags page_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeExplainVerb() {
  return std::make_unique<ExplainVerb>();
}

}  // namespace trommel::jobs::explain

#include "jobs/learn/learn_step.h"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/html/parser.h"
#include "core/learn/site_learning.h"
#include "jobs/cli/settings.h"
#include "jobs/learn/outcomes_table.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/samples_table.h"
#include "jobs/textproto/textproto.h"
#include "mapreduce/codec/ordered.h"

// Clusters share rules with the other clusters of their site, so a site is
// learnt in one place. Its clusters and the pages of their samples travel there
// from two tables, the clusters first. Annotations are few and small; they are
// part of the step's settings, and whoever has the page picks out its own.

namespace trommel::jobs::learn_job {
namespace {

constexpr char kName[] = "learn";

// The inputs.
constexpr int kSamplesInput = 0;

// What a sort key begins with.
constexpr char kCluster = 0;
constexpr char kPage = 1;

using AnnotationsByUrl =
    std::map<std::string, std::vector<annotation::Annotation>>;

// The line number and the annotation, a line each.
std::string EncodeAnnotations(
    const std::vector<annotation::Annotation>& annotations) {
  std::string text;
  for (const annotation::Annotation& annotation : annotations) {
    StrAppend(&text, annotation.line, " ",
              annotation::FormatAnnotation(annotation), "\n");
  }
  return text;
}

absl::StatusOr<AnnotationsByUrl> DecodeAnnotations(std::string_view text) {
  AnnotationsByUrl by_url;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t space = std::min(line.find(' '), line.size());
    int64_t number = 0;
    if (!absl::SimpleAtoi(ToAbsl(line.substr(0, space)), &number)) {
      return absl::InvalidArgumentError("an annotation without its line");
    }
    TROMMEL_ASSIGN_OR_RETURN(annotation::Annotation annotation,
                             annotation::ParseAnnotation(line.substr(space)));
    annotation.line = number;
    by_url[annotation.url].push_back(std::move(annotation));
  }
  return by_url;
}

// A page as it travels.
std::string EncodePage(const tables::SampleRow& sample) {
  std::string value;
  mr::AppendOrderedBytes(sample.charset, &value);
  value += sample.content;
  return value;
}

class LearnMapper final : public mr::Mapper {
 public:
  explicit LearnMapper(tables::WantedSites sites) : sites_(std::move(sites)) {}

  absl::Status Map(int input, const io::Row& row, mr::MapOutput* out) override {
    if (input == kSamplesInput) {
      const tables::SampleRow sample = tables::ReadSample(row);
      if (!sites_.Contains(sample.site)) return absl::OkStatus();
      std::string key(1, kPage);
      mr::AppendOrderedBytes(sample.cluster_id, &key);
      mr::AppendOrderedInt64(sample.rank, &key);
      mr::AppendOrderedBytes(sample.url, &key);
      return out->Emit(sample.site, key, EncodePage(sample));
    }
    TROMMEL_ASSIGN_OR_RETURN(const tables::ClusterRow cluster,
                             tables::ReadCluster(row));
    if (!sites_.Contains(cluster.site)) return absl::OkStatus();
    std::string key(1, kCluster);
    mr::AppendOrderedInt64(-cluster.tmpl.Importance(), &key);
    mr::AppendOrderedBytes(cluster.cluster_id, &key);
    return out->Emit(cluster.site, key,
                     tables::AboutCluster(cluster).SerializeAsString());
  }

  mr::RowName Name(int input, const io::Row& row) const override {
    // Site, cluster_id, rank and url are the first columns of a sample, site
    // and cluster_id of a cluster, which has no page to name.
    if (input != kSamplesInput) return {"", std::string(row.bytes(0))};
    const tables::SampleRow sample = tables::ReadSample(row);
    return {std::string(sample.url), std::string(sample.site)};
  }

 private:
  const tables::WantedSites sites_;
};

class LearnReducer final : public mr::Reducer {
 public:
  LearnReducer(const page::PageFlags& page,
               std::unique_ptr<learn::Learner> learner, proto::Schema schema,
               AnnotationsByUrl annotations, const LearnStepSettings& settings)
      : parser_(page.MakeParser()),
        learner_(std::move(learner)),
        schema_(std::move(schema)),
        annotations_(std::move(annotations)),
        max_annotated_pages_(settings.max_annotated_pages),
        budget_s_(settings.learner.budget_s) {}

  absl::Status Reduce(std::string_view site, mr::Values* values,
                      mr::TaskOutput* out) override {
    Site state;
    state.name = site;
    while (values->Next()) {
      std::string_view key = values->sort_key();
      if (key.empty()) return absl::DataLossError("a value without its key");
      const char kind = key[0];
      key.remove_prefix(1);
      if (kind == kCluster) {
        TROMMEL_RETURN_IF_ERROR(AddCluster(values->value(), &state));
      } else {
        TROMMEL_RETURN_IF_ERROR(AddPage(key, values->value(), &state, out));
      }
    }
    return Learn(state, out);
  }

 private:
  // A site while it is learnt.
  struct Site {
    std::string name;
    std::vector<learn::ClusterSample> clusters;  // the most important first
    std::map<std::string, size_t> places;
    std::vector<int64_t> unparsed_pages;    // by cluster
    std::map<std::string, size_t> page_in;  // its place, by URL
    std::vector<annotation::Annotation> annotations;
    std::vector<std::vector<annotation::AnnotationProblem>>
        warnings;  // by cluster
  };

  static absl::Status AddCluster(std::string_view bytes, Site* site) {
    learn::ClusterSample cluster;
    if (!cluster.about.ParseFromArray(bytes.data(),
                                      static_cast<int>(bytes.size()))) {
      return absl::DataLossError(
          StrCat("a cluster of ", Printable(site->name), " is cut off"));
    }
    if (!site->places
             .try_emplace(cluster.about.cluster_id(), site->clusters.size())
             .second) {
      return absl::InvalidArgumentError(
          StrCat("cluster ", cluster.about.cluster_id(), " of ",
                 Printable(site->name), " is in the table of clusters twice"));
    }
    site->clusters.push_back(std::move(cluster));
    site->unparsed_pages.push_back(0);
    site->warnings.emplace_back();
    return absl::OkStatus();
  }

  absl::Status AddPage(std::string_view key, std::string_view value, Site* site,
                       mr::TaskOutput* out) {
    std::string cluster_id, charset;
    int64_t rank = 0;
    learn::LearnPage page;
    if (!mr::ConsumeOrderedBytes(&key, &cluster_id) ||
        !mr::ConsumeOrderedInt64(&key, &rank) ||
        !mr::ConsumeOrderedBytes(&key, &page.url) ||
        !mr::ConsumeOrderedBytes(&value, &charset)) {
      return absl::DataLossError(
          StrCat("a page of ", Printable(site->name), " is cut off"));
    }
    const auto found = site->places.find(cluster_id);
    if (found == site->places.end()) {
      return absl::InvalidArgumentError(
          StrCat(Printable(page.url), " is a sample of cluster ",
                 Printable(cluster_id), " of ", Printable(site->name),
                 ", which the table of clusters does not have"));
    }
    const size_t place = found->second;
    if (!site->page_in.try_emplace(page.url, place).second) {
      return absl::InvalidArgumentError(
          StrCat(Printable(page.url), " is in the table of samples twice"));
    }
    const html::ParseOutcome outcome =
        parser_->ParsePage(value, charset, &page.document);
    const auto annotated = annotations_.find(page.url);
    if (outcome != html::ParseOutcome::kOk) {
      ++site->unparsed_pages[place];
      if (annotated != annotations_.end()) {
        for (const annotation::Annotation& annotation : annotated->second) {
          site->warnings[place].push_back(
              {annotation.line,
               StrCat(annotation.Subject(), ": the page cannot be parsed (",
                      html::ToString(outcome), "), so this does not count")});
        }
      }
      return out->Reject({page.url, site->name}, html::ToString(outcome), "");
    }
    page.content_digest = ContentDigest(value);
    if (annotated != annotations_.end()) {
      site->annotations.insert(site->annotations.end(),
                               annotated->second.begin(),
                               annotated->second.end());
    }
    out->Count(kPagesLearnt);
    site->clusters[place].pages.push_back(std::move(page));
    return absl::OkStatus();
  }

  absl::Status Learn(Site& site, mr::TaskOutput* out) const {
    out->Count(kSitesLearnt);
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    // Clusters without pages have nothing to learn from or to share.
    std::vector<learn::ClusterSample> clusters;
    std::vector<size_t> places;
    for (size_t i = 0; i < site.clusters.size(); ++i) {
      if (!site.clusters[i].pages.empty()) {
        clusters.push_back(std::move(site.clusters[i]));
        places.push_back(i);
        continue;
      }
      OutcomeRow row;
      row.status.site = site.name;
      row.status.cluster_id = site.clusters[i].about.cluster_id();
      row.status.status = learn::LearnStatusName(learn::LearnStatus::kFailed);
      row.status.reason = site.unparsed_pages[i] == 0
                              ? "no page of the cluster is in the sample"
                              : StrCat("no page of the sample can be parsed (",
                                       site.unparsed_pages[i], " rejected)");
      row.warnings = site.warnings[i];
      TROMMEL_RETURN_IF_ERROR(WriteOutcome(row, table));
    }
    if (clusters.empty()) return absl::OkStatus();

    learn::LearnSettings settings;
    settings.max_annotated_pages = max_annotated_pages_;
    settings.budget_per_cluster = absl::Seconds(BudgetSeconds(site));
    const absl::StatusOr<std::vector<learn::ClusterOutcome>> outcomes =
        learn::LearnSite(*learner_, schema_, clusters, SortedAnnotations(site),
                         settings);
    if (!outcomes.ok())
      return Annotate(outcomes.status(), Printable(site.name));
    if (outcomes->size() != clusters.size()) {
      return absl::InternalError(StrCat(Printable(site.name), ": ",
                                        outcomes->size(), " outcomes of ",
                                        clusters.size(), " clusters"));
    }
    for (size_t i = 0; i < clusters.size(); ++i) {
      TROMMEL_RETURN_IF_ERROR(WriteOutcome(
          MakeRow(site, clusters[i], (*outcomes)[i], site.warnings[places[i]]),
          table));
    }
    return absl::OkStatus();
  }

  // The clusters of a site are learnt one after the other for one key. So those
  // that have something to learn from share its time, and each of many has less
  // than its budget.
  double BudgetSeconds(const Site& site) const {
    std::set<size_t> annotated;
    for (const annotation::Annotation& annotation : site.annotations) {
      annotated.insert(site.page_in.at(annotation.url));
    }
    return std::min(budget_s_, learner::kMaxBudgetSeconds /
                                   static_cast<double>(
                                       std::max<size_t>(annotated.size(), 1)));
  }

  // As RemoveContradictions() orders them, by URL first.
  static std::vector<annotation::Annotation> SortedAnnotations(
      const Site& site) {
    std::vector<annotation::Annotation> annotations = site.annotations;
    std::stable_sort(
        annotations.begin(), annotations.end(),
        [](const annotation::Annotation& a, const annotation::Annotation& b) {
          return a.url < b.url;
        });
    return annotations;
  }

  // To as many parts of one.
  static double Rounded(double value, double parts) {
    return std::round(value * parts) / parts;
  }

  static OutcomeRow MakeRow(
      const Site& site, const learn::ClusterSample& cluster,
      const learn::ClusterOutcome& outcome,
      const std::vector<annotation::AnnotationProblem>& warnings) {
    OutcomeRow row;
    row.status.site = site.name;
    row.status.cluster_id = cluster.about.cluster_id();
    row.status.status = learn::LearnStatusName(outcome.status);
    row.status.next_url = outcome.next_url;
    row.status.next_attribute = outcome.next_attribute;
    row.status.annotated_pages = outcome.annotated_pages;
    row.status.reused_from = outcome.reused_from;
    row.status.reason = outcome.reason;
    for (const learn::ClusterDoubt& doubt : outcome.doubts) {
      row.status.doubts.push_back(
          {doubt.attribute, doubt.url, Rounded(doubt.weight, 100), doubt.text});
    }
    for (const auto& [attribute, share] : outcome.fill) {
      row.status.fill.emplace_back(attribute, Rounded(share, 10000));
    }
    row.status.examples = outcome.examples;
    row.rule = outcome.rule;
    row.warnings = warnings;
    row.warnings.insert(row.warnings.end(), outcome.warnings.begin(),
                        outcome.warnings.end());
    return row;
  }

  const std::unique_ptr<html::Parser> parser_;
  const std::unique_ptr<learn::Learner> learner_;
  const proto::Schema schema_;
  const AnnotationsByUrl annotations_;
  const int64_t max_annotated_pages_;
  const double budget_s_;
};

// What is to be learnt, as text.
struct LearnTask {
  std::string schema;
  std::string annotations;

  void Define(cli::Flags* flags) {
    flags->Text("schema", &schema, "textproto");
    flags->Text("annotations", &annotations, "as EncodeAnnotations() has them");
  }
};

class LearnStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{
        {kOutcomesFolder, OutcomesSchema(), {"rule"}}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(auto sites,
                             cli::ReadSettings<tables::WantedSites>(context));
    return std::make_unique<LearnMapper>(std::move(sites));
  }
  absl::StatusOr<std::unique_ptr<mr::Reducer>> MakeReducer(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto page,
                             cli::ReadSettings<page::PageFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(const auto settings,
                             cli::ReadSettings<LearnStepSettings>(context));
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<learn::Learner> learner,
                             settings.learner.Make());
    TROMMEL_ASSIGN_OR_RETURN(const auto task,
                             cli::ReadSettings<LearnTask>(context));
    proto::Schema schema;
    TROMMEL_RETURN_IF_ERROR(
        textproto::ParseTextproto(task.schema, "schema", &schema));
    TROMMEL_ASSIGN_OR_RETURN(AnnotationsByUrl annotations,
                             DecodeAnnotations(task.annotations));
    return std::make_unique<LearnReducer>(page, std::move(learner),
                                          std::move(schema),
                                          std::move(annotations), settings);
  }
};

}  // namespace

void LearnStepSettings::Define(cli::Flags* flags) {
  learner.Define(flags);
  flags
      ->Integer("max-annotated-pages", &max_annotated_pages,
                "pages of a cluster that an editor is asked for, at most")
      .Between(1, 1000)
      .Recorded();
}

std::unique_ptr<mr::Step> MakeLearnStep() {
  return std::make_unique<LearnStep>();
}

mr::StepSpec LearnSpec(const LearnInputs& inputs,
                       const LearnStepSettings& settings,
                       const page::PageFlags& page, int num_reducers) {
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {
      {{inputs.samples},
       /*from_output=*/"",
       tables::SamplesColumns(),
       tables::kSamplesBatchRows},
      {{inputs.clusters}, /*from_output=*/"", tables::ClustersColumns()}};
  LearnTask task;
  google::protobuf::TextFormat::PrintToString(inputs.schema, &task.schema);
  task.annotations = EncodeAnnotations(inputs.annotations);
  cli::AddSettings(task, &spec);
  cli::AddSettings(inputs.sites, &spec);
  cli::AddSettings(settings, &spec);
  cli::AddSettings(page, &spec);
  spec.num_reducers = num_reducers;
  return spec;
}

}  // namespace trommel::jobs::learn_job

#include "jobs/cluster/sign_step.h"

#include <optional>
#include <utility>

#include "core/base/status.h"
#include "core/signature/page_signature.h"
#include "jobs/cli/settings.h"
#include "jobs/cluster/names.h"
#include "jobs/page/admission.h"
#include "jobs/page/crawl_input.h"
#include "jobs/tables/signatures_table.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/crawl.h"

namespace trommel::jobs::cluster_job {
namespace {

constexpr char kName[] = "cluster-sign";

io::CrawlLayout Layout() {
  io::CrawlColumns columns;
  columns.fetch_time = false;
  return io::CrawlLayout(columns);
}

class SignMapper final : public mr::Mapper {
 public:
  SignMapper(tables::SiteRule site_rule, int64_t shingle_length,
             page::AdmissionFlags admission)
      : site_rule_(std::move(site_rule)),
        shingle_length_(shingle_length),
        admission_(std::move(admission)),
        signer_(static_cast<int>(shingle_length)) {}

  absl::Status Map(int /*input*/, const io::Row& row,
                   mr::MapOutput* out) override {
    const io::CrawlPage page = layout_.Page(row);
    const std::string site = site_rule_.SiteOf(page.url);
    if (const std::optional<page::Rejection> rejection =
            page::WhyRejected(page, admission_)) {
      return page::Reject({std::string(page.url), site}, *rejection, out);
    }
    tables::SignedPage signed_page;
    signed_page.url = page.url;
    signed_page.site = site;
    signed_page.signature = signer_.SignWithWords(
        page.content, page.charset, page.url, &signed_page.words.emplace());
    signed_page.site_key = site_rule_.key();
    signed_page.shingle_length = shingle_length_;
    TROMMEL_ASSIGN_OR_RETURN(io::RowWriter* const table, out->Table(0));
    return tables::WriteSignedPage(signed_page, table);
  }
  mr::RowName Name(int /*input*/, const io::Row& row) const override {
    const std::string_view url = layout_.Page(row).url;
    return {std::string(url), site_rule_.SiteOf(url)};
  }

 private:
  const tables::SiteRule site_rule_;
  const int64_t shingle_length_;
  const page::AdmissionFlags admission_;
  signature::PageSigner signer_;
  io::CrawlLayout layout_ = Layout();
};

class SignStep final : public mr::Step {
 public:
  std::string_view name() const override { return kName; }
  absl::StatusOr<std::vector<mr::OutputTable>> Outputs(
      const mr::TaskContext& /*context*/) const override {
    return std::vector<mr::OutputTable>{{kSignaturesTable,
                                         tables::SignaturesSchema(),
                                         tables::SignaturesPlainColumns()}};
  }
  absl::StatusOr<std::unique_ptr<mr::Mapper>> MakeMapper(
      const mr::TaskContext& context) const override {
    TROMMEL_ASSIGN_OR_RETURN(const auto settings,
                             cli::ReadSettings<ClusterSettings>(context));
    TROMMEL_ASSIGN_OR_RETURN(auto admission,
                             cli::ReadSettings<page::AdmissionFlags>(context));
    TROMMEL_ASSIGN_OR_RETURN(tables::SiteRule rule, settings.MakeSiteRule());
    return std::make_unique<SignMapper>(
        std::move(rule), settings.shingle_length, std::move(admission));
  }
};

}  // namespace

std::unique_ptr<mr::Step> MakeSignStep() {
  return std::make_unique<SignStep>();
}

mr::StepSpec SignSpec(const std::vector<std::string>& crawls,
                      const ClusterSettings& settings,
                      const page::AdmissionFlags& admission) {
  const io::CrawlLayout layout = Layout();
  mr::StepSpec spec;
  spec.step = kName;
  spec.inputs = {page::CrawlInput(crawls, layout, admission.max_page_bytes)};
  cli::AddSettings(settings, &spec);
  cli::AddSettings(admission, &spec);
  return spec;
}

}  // namespace trommel::jobs::cluster_job

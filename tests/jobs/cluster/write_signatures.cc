// write_signatures OUT PAGES SITES SITE_PAGES: a table of signatures with one
// site of PAGES pages and SITES sites of SITE_PAGES pages, in files of about a
// million rows.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/base/strings.h"
#include "jobs/tables/signatures_table.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "tests/testing/signature_web.h"

namespace {

using trommel::StrCat;
using trommel::jobs::tables::SignedPage;
using trommel::testing_support::SignatureSite;

absl::Status WriteSite(const std::string& host, const SignatureSite& site,
                       trommel::io::RowWriter* table) {
  for (int64_t i = 0; i < site.num_pages(); ++i) {
    const std::string url =
        StrCat("http://", host, "/t", site.TemplateOf(i), "/", i, ".html");
    SignedPage page;
    page.url = url;
    page.site = host;
    page.signature = site.Page(i);
    page.site_key = "host";
    page.shingle_length = 10;
    const absl::Status status = WriteSignedPage(page, table);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const auto out = trommel::io::ResolvePath(argv[1]);
  trommel::io::ShardWriter::Options options;
  options.plain_columns = trommel::jobs::tables::SignaturesPlainColumns();
  auto table = trommel::io::RowWriter::Create(
      *out, trommel::jobs::tables::SignaturesSchema(), options);
  if (!table.ok()) {
    std::fprintf(stderr, "%s\n", table.status().ToString().c_str());
    return 1;
  }
  absl::Status status = WriteSite(
      "www.large.example",
      SignatureSite(1, {.num_pages = std::atoll(argv[2]), .num_templates = 40}),
      table->get());
  for (int64_t i = 0; i < std::atoll(argv[3]) && status.ok(); ++i) {
    status = WriteSite(
        StrCat("www.s", i, ".example"),
        SignatureSite(static_cast<uint64_t>(i) + 2,
                      {.num_pages = std::atoll(argv[4]), .num_templates = 2}),
        table->get());
  }
  if (status.ok()) status = (*table)->Close().status();
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}

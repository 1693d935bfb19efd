#include "jobs/tables/signatures_table.h"

#include <arrow/type.h>

#include <string>

#include "core/base/status.h"
#include "jobs/tables/site_rule.h"

namespace trommel::jobs::tables {
namespace {

enum Column : size_t {
  kUrl,
  kSite,
  kSignature,
  kSketch,
  kSiteKey,
  kShingleLength,
  kWords,
  kWordSample,
  kOpening,
};

}  // namespace

std::shared_ptr<arrow::Schema> SignaturesSchema() {
  return arrow::schema({arrow::field("url", arrow::utf8(), false),
                        arrow::field("site", arrow::utf8(), false),
                        arrow::field("signature", arrow::utf8()),
                        arrow::field("sketch", arrow::binary()),
                        arrow::field("site_key", arrow::utf8(), false),
                        arrow::field("shingle_length", arrow::int64(), false),
                        arrow::field("words", arrow::int64()),
                        arrow::field("word_sample", arrow::binary()),
                        arrow::field("opening", arrow::utf8())});
}

std::vector<std::string> SignaturesPlainColumns() {
  return {"url", "sketch", "word_sample"};
}

absl::Status WriteSignedPage(const SignedPage& page, io::RowWriter* table) {
  table->Text(page.url).Text(page.site);
  if (page.signature.has_value()) {
    table->Text(signature::VectorText(page.signature->vector))
        .Bytes(page.signature->sketch.Bytes());
  } else {
    table->Null().Null();
  }
  table->Text(page.site_key).Int64(page.shingle_length);
  if (page.words.has_value()) {
    table->Int64(page.words->count)
        .Bytes(page.words->SampleBytes())
        .TextOrNull(page.words->opening);
  } else {
    table->Null().Null().Null();
  }
  return table->EndRow();
}

const std::vector<io::ColumnRequest>& SignaturesColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"url", io::ColumnType::kBytes},
      {"site", io::ColumnType::kBytes},
      {"signature", io::ColumnType::kBytes},
      {"sketch", io::ColumnType::kBytes},
      {"site_key", io::ColumnType::kBytes},
      {"shingle_length", io::ColumnType::kInt64},
      // Tables of former versions do not have what follows.
      {"words", io::ColumnType::kInt64, /*required=*/false},
      {"word_sample", io::ColumnType::kBytes, /*required=*/false},
      {"opening", io::ColumnType::kBytes, /*required=*/false}};
  return *columns;
}

absl::StatusOr<SignedPage> ReadSignedPage(const io::Row& row) {
  SignedPage page;
  page.url = row.bytes(kUrl);
  page.site = row.bytes(kSite);
  page.site_key = row.bytes(kSiteKey);
  page.shingle_length = row.int64(kShingleLength);
  if (page.shingle_length < signature::kMinShingleLength ||
      page.shingle_length > signature::kMaxShingleLength) {
    return absl::InvalidArgumentError(StrCat(
        "shingle_length ", page.shingle_length, " is not from ",
        signature::kMinShingleLength, " to ", signature::kMaxShingleLength));
  }
  const absl::StatusOr<SiteRule> rule =
      SiteRule::FromTable(page.site_key, page.site);
  if (!rule.ok()) return rule.status();
  if (!row.is_null(kSignature)) {
    TROMMEL_ASSIGN_OR_RETURN(const signature::ShingleVector vector,
                             signature::ParseVector(row.bytes(kSignature)));
    TROMMEL_ASSIGN_OR_RETURN(const signature::Sketch sketch,
                             signature::Sketch::FromBytes(row.bytes(kSketch)));
    page.signature = signature::PageSignature{vector, sketch};
  }
  if (!row.is_null(kWords)) {
    TROMMEL_ASSIGN_OR_RETURN(
        page.words,
        words::PageWords::FromParts(row.int64(kWords), row.bytes(kWordSample),
                                    row.bytes(kOpening)));
  }
  return page;
}

std::string_view SignedPageUrl(const io::Row& row) { return row.bytes(kUrl); }
std::string_view SignedPageSite(const io::Row& row) { return row.bytes(kSite); }

}  // namespace trommel::jobs::tables

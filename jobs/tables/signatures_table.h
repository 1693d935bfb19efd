#ifndef TROMMEL_JOBS_TABLES_SIGNATURES_TABLE_H_
#define TROMMEL_JOBS_TABLES_SIGNATURES_TABLE_H_

// The table signatures/: one row per page, all that clustering needs of it.
//
//   url              string
//   site             string
//   signature        string, "12.3.7.200.3.0.9.41"; null when the page has
//                    fewer tags than a shingle
//   sketch           binary, 256 bytes; null with the signature
//   site_key         string: host, registered_domain or fixed
//   shingle_length   int64
//   words            int64, distinct words of the page
//   (core/words/page_words.h);
//                    null in tables of former versions, with all that follows
//   word_sample      binary, the smallest hashes of these, four bytes each, low
//                    byte first
//   opening          string, how the page's text begins; null where there is no
//                    text, or more than a little

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/signature/page_signature.h"
#include "core/words/page_words.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::tables {

// Its folder in the output of `trommel cluster`.
inline constexpr char kSignaturesFolder[] = "signatures";

struct SignedPage {
  std::string_view url;
  std::string_view site;
  std::optional<signature::PageSignature>
      signature;  // none: the page is too short
  std::string_view site_key;
  int64_t shingle_length = 0;
  std::optional<words::PageWords> words;  // none: nobody has looked
};

std::shared_ptr<arrow::Schema> SignaturesSchema();
// Columns of long unique values.
std::vector<std::string> SignaturesPlainColumns();
absl::Status WriteSignedPage(const SignedPage& page, io::RowWriter* table);

const std::vector<io::ColumnRequest>& SignaturesColumns();
// The row's page; its views are the row's. InvalidArgument says what is wrong
// with a row that is not from WriteSignedPage().
absl::StatusOr<SignedPage> ReadSignedPage(const io::Row& row);
// What can be told of a row without decoding it.
std::string_view SignedPageUrl(const io::Row& row);
std::string_view SignedPageSite(const io::Row& row);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_SIGNATURES_TABLE_H_

#include "jobs/extract/extracted_before.h"

#include <algorithm>
#include <memory>
#include <string>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::extract {
namespace {

uint64_t HashOf(std::string_view url, std::string_view content_digest,
                std::string_view rule_id) {
  return Hash64(url, Hash64(content_digest, Hash64(rule_id)));
}

}  // namespace

absl::StatusOr<ExtractedBefore> ExtractedBefore::Read(const io::Path& records) {
  ExtractedBefore before;
  TROMMEL_RETURN_IF_ERROR(
      io::VisitRows(records,
                    {{"url", io::ColumnType::kBytes},
                     {"content_digest", io::ColumnType::kBytes},
                     {"rule_id", io::ColumnType::kBytes}},
                    [&](const io::Row& row) {
                      before.hashes_.push_back(
                          HashOf(row.bytes(0), row.bytes(1), row.bytes(2)));
                      return absl::OkStatus();
                    }));
  std::sort(before.hashes_.begin(), before.hashes_.end());
  before.hashes_.erase(
      std::unique(before.hashes_.begin(), before.hashes_.end()),
      before.hashes_.end());
  return before;
}

bool ExtractedBefore::Contains(std::string_view url,
                               std::string_view content_digest,
                               std::string_view rule_id) const {
  if (hashes_.empty()) return false;
  // Tables hold text only.
  std::string text;
  AppendUtf8Lossy(url, &text);
  return std::binary_search(hashes_.begin(), hashes_.end(),
                            HashOf(text, content_digest, rule_id));
}

}  // namespace trommel::jobs::extract

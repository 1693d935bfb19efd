#ifndef TROMMEL_CORE_WARC_WARC_READER_H_
#define TROMMEL_CORE_WARC_WARC_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/byte_source.h"
#include "core/warc/warc_record.h"

namespace trommel::warc {

class RecordText;

// Why a record was rejected.
enum class RejectReason {
  kBadHeader,           // no record begins here, or a header line is none
  kUnsupportedVersion,  // other than 0.17, 0.18, 1.0 and 1.1
  kBadContentLength,    // missing, contradictory or no number
  kLengthMismatch,      // the length does not lead to the end of the record
  kTruncated,           // the file ends inside the record
  kCorruptFrame,        // its compressed form is damaged
  kOversizeHeader,      // over max_header_bytes
  kOversizeBlock,       // over max_block_bytes
};
inline constexpr size_t kNumRejectReasons = 8;

// A counter's event name: "bad_header", "length_mismatch".
std::string_view ToString(RejectReason reason);

// Reads the records of a WARC file (ISO 28500, versions 0.17 to 1.1), plain or
// compressed by gzip or Zstandard, record by record or as a whole.
//
//   WarcReader reader(std::move(file));
//   WarcRecord record;
//   while (true) {
//     TROMMEL_ASSIGN_OR_RETURN(WarcReader::Outcome outcome,
//                              reader.Next(&record));
//     if (outcome == WarcReader::Outcome::kEnd) break;
//     if (outcome == WarcReader::Outcome::kRejected) {
//       Count(ToString(reader.rejection().reason));
//       continue;
//     }
//     Use(record);
//   }
//
// Damage is expected. A record that cannot be read is reported once, as
// rejected, and reading resumes at the next record that can be found. In a file
// with a frame (gzip member, Zstandard frame) for each record, as nearly all
// archives are, that is a frame that begins with "WARC/" and a digit: what is
// in a block is never taken for a record, whatever is damaged. In plain text
// and where frames hold many records, it is a line that begins so. Bytes in
// which no record can be made out count as one rejected record. A record is
// returned only when its block is complete and, if it lies in a compressed
// frame of its own, the frame's checksum agrees.
//
// Where nothing but lengths marks the end of a record, in plain text or in one
// frame for a whole file, and damage hides the length, WARC text inside its
// block (an archive in the archive) can be taken for the records that follow.
// Damage there is noticed only if a length or a header does not fit: without a
// checksum of its own, a record can be returned with damage in it.
//
// Line ends may be LF only, header lines may be folded, header names are in any
// case; of a header other than WARC-Type that occurs twice the first counts.
// Memory is about twice max_block_bytes at worst, and what the data needs
// otherwise: a length that is only claimed allocates nothing. Not safe for use
// by several threads.
class WarcReader {
 public:
  struct Options {
    // Longer blocks are passed over without being held.
    size_t max_block_bytes = 64 << 20;
    size_t max_header_bytes = 64 << 10;
  };

  enum class Outcome { kRecord, kRejected, kEnd };

  struct Rejection {
    RejectReason reason = RejectReason::kBadHeader;
    uint64_t offset = 0;     // as WarcRecord::offset
    std::string target_uri;  // empty if the header was not read so far
    std::string detail;      // for people; no page content
  };

  // Between calls of Next(), records_begun == records_returned +
  // records_rejected, and the last is the sum over the reasons.
  struct Counters {
    int64_t records_begun = 0;
    int64_t records_returned = 0;
    int64_t records_rejected = 0;
    std::array<int64_t, kNumRejectReasons> rejected_by_reason = {};
    // From where each rejected record begins to where reading goes on: bytes of
    // the file, or, inside a compressed frame of many records, of its text.
    // Those of a rejected record are added by the call after; those of one that
    // is merely over max_block_bytes are not counted.
    int64_t bytes_skipped = 0;
  };

  explicit WarcReader(std::unique_ptr<ByteSource> file);
  WarcReader(std::unique_ptr<ByteSource> file, Options options);
  ~WarcReader();
  WarcReader(const WarcReader&) = delete;
  WarcReader& operator=(const WarcReader&) = delete;

  // Reads the next record. Fills *record on kRecord; on kRejected and kEnd its
  // content is unspecified. Passing the same record again reuses its memory.
  // After kEnd every call returns kEnd. An error is the file's; every later
  // call returns it again, and a record it interrupted is not counted.
  absl::StatusOr<Outcome> Next(WarcRecord* record);

  // What was wrong, after kRejected.
  const Rejection& rejection() const { return rejection_; }
  const Counters& counters() const { return counters_; }
  // What Counters::bytes_skipped is a part of: the bytes of the file, of which
  // `file_bytes` were read so far, or, where frames hold many records, those of
  // its text and of what could not be made text.
  int64_t BytesInAll(int64_t file_bytes) const;

 private:
  // Nothing means that the step succeeded and the record goes on.
  using Rejected = std::optional<RejectReason>;

  absl::StatusOr<Outcome> ReadNext(WarcRecord* record);
  absl::StatusOr<Rejected> ReadRecord(WarcRecord* record);
  absl::StatusOr<Rejected> ReadHeader(WarcRecord* record);
  absl::StatusOr<Rejected> ReadBlock(WarcRecord* record);
  absl::StatusOr<Rejected> ReadRecordEnd();
  absl::StatusOr<Rejected> SkipBlock(uint64_t left);
  absl::StatusOr<Rejected> RejectCutBlock();
  absl::StatusOr<bool> IsRestOfFrameGood();
  Rejected ParseVersion(std::string_view line);
  Rejected ParseField(std::string_view line, WarcRecord* record);
  Rejected FinishHeader(WarcRecord* record);
  Rejected Reject(RejectReason reason, std::string_view detail);
  Rejected RejectDamage();
  void RescanBlock(std::string* block);
  absl::Status Resynchronize();
  absl::Status HoldFrame();
  absl::Status FindFrame();
  absl::Status FindLine();

  // Whether a record can begin anywhere in the text, or only with a frame.
  bool RecordsBeginWithFrames() const;
  bool RecordsBeginAnywhere() const;

  const Options options_;
  const std::unique_ptr<RecordText> text_;
  absl::Status file_status_;
  Counters counters_;
  Rejection rejection_;

  // The search after a rejected record.
  bool resynchronize_ = false;
  bool at_line_start_ = true;
  bool after_empty_line_ = false;
  uint64_t rescanned_bytes_ = 0;
  std::string held_;  // see HoldFrame

  // How the file is compressed: frames with one record seen so far, and whether
  // one with several was.
  int64_t single_record_frames_ = 0;
  bool frames_hold_many_ = false;

  // The record being read.
  uint64_t record_text_offset_ = 0;
  bool begins_frame_ = false;
  bool needs_successor_ = false;  // was found where a record hardly begins

  // The header being read. field_ is where a folded line continues, null for a
  // field that is not kept.
  std::string* field_ = nullptr;
  bool any_field_ = false;
  unsigned fields_seen_ = 0;
  bool lengths_differ_ = false;
  std::string type_;
  std::string date_;
  std::string length_;
  std::string truncated_;
  uint64_t content_length_ = 0;
};

}  // namespace trommel::warc

#endif  // TROMMEL_CORE_WARC_WARC_READER_H_

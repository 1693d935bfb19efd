#include "core/warc/warc_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/warc/ascii_internal.h"
#include "core/warc/record_text_internal.h"

// Staying in step with a damaged archive.
//
// A record is a header, a block of the length the header claims, and an empty
// line or two. Nothing else marks where it ends, so a wrong length is noticed
// only by what follows. A record counts as good when its block is followed by
//
//   - the end of the file, or a compressed frame that begins with a record, or
//     the next record's first line, after any number of line ends up to two; or
//   - exactly CR LF CR LF, whatever comes then, or any four bytes and then a
//     record's first line. Those do not occur at a wrong place often, and this
//     way damage to the first line of one record, or to the end of another,
//     does not cost its neighbour. Inside a compressed frame that the record
//     itself begins, this is not enough: there the frame's checksum must be
//     reached, and it is not when bytes follow that should not be there.
//
// What may be searched. A page can contain anything, records included, and only
// an intact chain of lengths tells what is a record and what is text of a page.
// After a rejected record that chain is broken. In a file with a frame for each
// record, the frames are a second chain which no page can imitate: there
// reading goes on with the next frame that begins with a record, and the rest
// of the block is passed over unread. (Frames within a stored block could
// imitate it; core/compress/frame_reader.cc tells them apart.) The reader
// learns how a file is compressed from its good records. Once kSettledFrames
// frames held a single record, a record in the middle of a frame is one only if
// the frame is whole: a length that damage changed may lead anywhere. A frame
// that is whole shows that the file is put together from several layouts.
//
// If the first record of the file is bad, nothing is known yet. The rest of its
// frame is then held in memory until the next frame begins, which decides: one
// that begins with a record shows that the file has a frame for each. If the
// file ends first, or the frame proves longer than any record that would be
// accepted, the file is one of many records in a frame.
//
// Plain text and frames of many records are searched by line, from the first
// byte that may belong to the next record. When a header is bad that is the
// line after its first; when the length is wrong it is the start of the block,
// since a length too large swallows the records that follow. The block is in
// memory for that purpose, the beginning of an oversize one too, until it
// proves longer than max_block_bytes. What an even longer one swallowed is
// passed over. A record found so is more credible behind an empty line, as the
// end of a record is; without one it must lead to another record or to the end.
// Neither keeps out a page that contains well-formed records: here they are
// indistinguishable.
//
// Searching a block again and again is quadratic when each line of it claims a
// long block itself. The bytes searched again are limited to a multiple of the
// bytes read; beyond that the search goes on behind the block, and the block
// counts as passed over like all that is not in a record.
namespace trommel::warc {
namespace {

using Stop = RecordText::Stop;

constexpr size_t kRecordStartBytes = 6;
constexpr size_t kRecordEndBytes = 4;  // CR LF CR LF
constexpr size_t kReserveBytes = 1 << 20;
constexpr uint64_t kFreeRescanBytes = 64 << 20;
constexpr uint64_t kRescanFactor = 4;
// An archive may begin with a frame for its description alone and hold all else
// in another, so one frame proves little.
constexpr int64_t kSettledFrames = 2;

// Fields that are kept; bits of fields_seen_.
enum Field : unsigned {
  kNoField = 0,
  kType = 1,
  kTargetUri = 2,
  kDate = 4,
  kContentType = 8,
  kContentLength = 16,
  kTruncatedField = 32,
};

Field FieldOf(std::string_view name) {
  // Most fields of most records are not kept; the length tells most of those.
  switch (name.size()) {
    case 9:
      if (EqualsIgnoreCase(name, "WARC-Type")) return kType;
      if (EqualsIgnoreCase(name, "WARC-Date")) return kDate;
      break;
    case 12:
      if (EqualsIgnoreCase(name, "Content-Type")) return kContentType;
      break;
    case 14:
      if (EqualsIgnoreCase(name, "Content-Length")) return kContentLength;
      if (EqualsIgnoreCase(name, "WARC-Truncated")) {
        return kTruncatedField;
      }
      break;
    case 15:
      if (EqualsIgnoreCase(name, "WARC-Target-URI")) return kTargetUri;
      break;
    default:
      break;
  }
  return kNoField;
}

bool IsFieldName(std::string_view name) {
  if (name.empty()) return false;
  for (const char c : name) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c))) return false;
  }
  return true;
}

// Takes one line end off the front.
bool TakeLineEnd(std::string_view* text) {
  if (text->starts_with("\r\n")) {
    text->remove_prefix(2);
  } else if (text->starts_with("\n")) {
    text->remove_prefix(1);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string_view ToString(RejectReason reason) {
  switch (reason) {
    case RejectReason::kBadHeader:
      return "bad_header";
    case RejectReason::kUnsupportedVersion:
      return "unsupported_version";
    case RejectReason::kBadContentLength:
      return "bad_content_length";
    case RejectReason::kLengthMismatch:
      return "length_mismatch";
    case RejectReason::kTruncated:
      return "truncated";
    case RejectReason::kCorruptFrame:
      return "corrupt_frame";
    case RejectReason::kOversizeHeader:
      return "oversize_header";
    case RejectReason::kOversizeBlock:
      return "oversize_block";
  }
  return "unknown";
}

WarcReader::WarcReader(std::unique_ptr<ByteSource> file)
    : WarcReader(std::move(file), Options()) {}

WarcReader::WarcReader(std::unique_ptr<ByteSource> file, Options options)
    : options_(options), text_(std::make_unique<RecordText>(std::move(file))) {}

WarcReader::~WarcReader() = default;

absl::StatusOr<WarcReader::Outcome> WarcReader::Next(WarcRecord* record) {
  if (!file_status_.ok()) return file_status_;
  auto outcome = ReadNext(record);
  if (!outcome.ok()) file_status_ = outcome.status();
  return outcome;
}

absl::StatusOr<WarcReader::Outcome> WarcReader::ReadNext(WarcRecord* record) {
  record->Clear();
  needs_successor_ = false;
  if (resynchronize_) {
    TROMMEL_RETURN_IF_ERROR(Resynchronize());
    resynchronize_ = false;
  }
  begins_frame_ = false;
  // Line ends between records beyond the two, boundaries, and the end.
  while (true) {
    TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(kRecordStartBytes));
    const std::string_view view = text_->view();
    const size_t blank = std::min(view.find_first_not_of("\r\n"), view.size());
    if (blank > 0) {
      text_->Consume(blank);
      continue;
    }
    if (!view.empty()) break;
    if (stop == Stop::kEnd) return Outcome::kEnd;
    if (stop == Stop::kDamage) {
      begins_frame_ = !text_->damaged_frame_visible();
      break;
    }
    text_->PassBoundary();
    begins_frame_ = true;
  }
  record_text_offset_ = text_->text_offset();
  record->offset = text_->file_offset();
  rejection_.offset = record->offset;
  TROMMEL_ASSIGN_OR_RETURN(const Rejected rejected, ReadRecord(record));
  ++counters_.records_begun;
  if (!rejected.has_value()) {
    ++counters_.records_returned;
    return Outcome::kRecord;
  }
  // Behind a block that is merely long the next record is not searched for.
  resynchronize_ = *rejected != RejectReason::kOversizeBlock;
  rejection_.reason = *rejected;
  rejection_.target_uri = record->target_uri;
  ++counters_.records_rejected;
  ++counters_.rejected_by_reason[static_cast<size_t>(*rejected)];
  return Outcome::kRejected;
}

WarcReader::Rejected WarcReader::Reject(RejectReason reason,
                                        std::string_view detail) {
  rejection_.detail.assign(detail);
  return reason;
}

WarcReader::Rejected WarcReader::RejectDamage() {
  const bool truncated =
      text_->damage() == compress::FrameReader::Damage::kTruncated;
  return Reject(
      truncated ? RejectReason::kTruncated : RejectReason::kCorruptFrame,
      ToStd(text_->damage_status().message()));
}

absl::StatusOr<WarcReader::Rejected> WarcReader::ReadRecord(
    WarcRecord* record) {
  at_line_start_ = true;
  after_empty_line_ = false;
  held_.clear();
  const std::string_view view = text_->view();
  if (!IsRecordStart(view)) {
    TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(kRecordStartBytes));
    if (stop == Stop::kDamage && (view.empty() || MayBecomeRecordStart(view))) {
      return RejectDamage();
    }
    if (stop == Stop::kEnd && MayBecomeRecordStart(view)) {
      return Reject(RejectReason::kTruncated, "the file ends");
    }
    return Reject(RejectReason::kBadHeader, "no record begins here");
  }
  TROMMEL_ASSIGN_OR_RETURN(Rejected rejected, ReadHeader(record));
  if (rejected.has_value()) return rejected;
  TROMMEL_ASSIGN_OR_RETURN(rejected, ReadBlock(record));
  return rejected;
}

absl::StatusOr<WarcReader::Rejected> WarcReader::ReadHeader(
    WarcRecord* record) {
  any_field_ = false;
  field_ = nullptr;
  fields_seen_ = 0;
  lengths_differ_ = false;
  type_.clear();
  date_.clear();
  length_.clear();
  truncated_.clear();
  size_t header_bytes = 0;
  size_t searched = 0;  // bytes of view() known to hold no line end
  bool first_line = true;
  while (true) {
    const std::string_view view = text_->view();
    const size_t end = view.find('\n', searched);
    const size_t line_bytes =
        end == std::string_view::npos ? view.size() : end + 1;
    if (header_bytes + line_bytes > options_.max_header_bytes) {
      // The search must not find this record again.
      if (first_line) {
        text_->Consume(kRecordStartBytes);
        at_line_start_ = false;
      }
      return Reject(RejectReason::kOversizeHeader,
                    StrCat("the header is longer than ",
                           options_.max_header_bytes, " bytes"));
    }
    if (end == std::string_view::npos) {
      searched = view.size();
      TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(searched + 1));
      if (stop == Stop::kNone) continue;
      text_->Consume(searched);
      if (stop == Stop::kDamage) return RejectDamage();
      if (stop == Stop::kEnd) {
        return Reject(RejectReason::kTruncated, "the file ends in a header");
      }
      return Reject(RejectReason::kBadHeader, "the frame ends in the header");
    }
    std::string_view line = view.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    // A line that begins a record is not part of this one, and no header line
    // either: its name would have a slash. It is left for the search.
    if (!first_line && IsRecordStart(line)) {
      return Reject(RejectReason::kBadHeader, "a record begins in the header");
    }
    text_->Consume(line_bytes);
    header_bytes += line_bytes;
    searched = 0;
    if (line.empty()) return FinishHeader(record);
    const Rejected rejected =
        first_line ? ParseVersion(line) : ParseField(line, record);
    if (rejected.has_value()) return rejected;
    first_line = false;
  }
}

WarcReader::Rejected WarcReader::ParseVersion(std::string_view line) {
  const std::string_view version = TrimRight(line.substr(5));
  if (version == "1.0" || version == "1.1" || version == "0.18" ||
      version == "0.17") {
    return std::nullopt;
  }
  for (const char c : version) {
    if (!IsDigit(c) && c != '.') {
      return Reject(RejectReason::kBadHeader, "the version is no number");
    }
  }
  return Reject(RejectReason::kUnsupportedVersion,
                StrCat("WARC version ", version.substr(0, 16)));
}

WarcReader::Rejected WarcReader::ParseField(std::string_view line,
                                            WarcRecord* record) {
  // A block that was lost leaves zeros, and behind them the header of another
  // record may go on.
  if (line.find('\0') != std::string_view::npos) {
    return Reject(RejectReason::kBadHeader, "a header line has a NUL byte");
  }
  if (line[0] == ' ' || line[0] == '\t') {
    if (!any_field_) {
      return Reject(RejectReason::kBadHeader, "a folded line comes first");
    }
    if (field_ != nullptr) {
      const std::string_view more = Trim(line);
      if (!field_->empty() && !more.empty()) field_->push_back(' ');
      field_->append(more);
    }
    return std::nullopt;
  }
  const size_t colon = std::min(line.find(':'), line.size());
  const std::string_view name = TrimRight(line.substr(0, colon));
  if (colon == line.size() || !IsFieldName(name)) {
    return Reject(RejectReason::kBadHeader, "a header line is no field");
  }
  any_field_ = true;
  field_ = nullptr;
  const Field field = FieldOf(name);
  if (field == kNoField) return std::nullopt;
  const std::string_view value = Trim(line.substr(colon + 1));
  if ((fields_seen_ & field) != 0) {
    // What separated two records is missing.
    if (field == kType) {
      return Reject(RejectReason::kBadHeader, "two WARC-Types");
    }
    if (field == kContentLength && value != length_) lengths_differ_ = true;
    return std::nullopt;
  }
  fields_seen_ |= field;
  switch (field) {
    case kType:
      field_ = &type_;
      break;
    case kTargetUri:
      field_ = &record->target_uri;
      break;
    case kDate:
      field_ = &date_;
      break;
    case kContentType:
      field_ = &record->content_type;
      break;
    case kContentLength:
      field_ = &length_;
      break;
    case kTruncatedField:
      field_ = &truncated_;
      break;
    case kNoField:
      break;
  }
  field_->assign(value);
  return std::nullopt;
}

WarcReader::Rejected WarcReader::FinishHeader(WarcRecord* record) {
  record->type = ParseWarcType(type_);
  record->date_ms = ParseWarcDate(date_);
  record->truncated = ParseWarcTruncated(truncated_);
  std::string& uri = record->target_uri;
  if (uri.size() >= 2 && uri.front() == '<' && uri.back() == '>') {
    uri.pop_back();
    uri.erase(0, 1);
  }
  if ((fields_seen_ & kContentLength) == 0) {
    return Reject(RejectReason::kBadContentLength, "no Content-Length");
  }
  if (lengths_differ_) {
    return Reject(RejectReason::kBadContentLength,
                  "two Content-Lengths that differ");
  }
  // SimpleAtoi accepts signs and spaces.
  if (!std::all_of(length_.begin(), length_.end(),
                   [](char c) { return IsDigit(c); }) ||
      !absl::SimpleAtoi(length_, &content_length_)) {
    return Reject(RejectReason::kBadContentLength,
                  "Content-Length is no number of 64 bits");
  }
  return std::nullopt;
}

absl::StatusOr<WarcReader::Rejected> WarcReader::ReadBlock(WarcRecord* record) {
  std::string& block = record->block;
  const bool oversize = content_length_ > options_.max_block_bytes;
  const auto wanted = static_cast<size_t>(
      std::min<uint64_t>(content_length_, options_.max_block_bytes));
  block.reserve(std::min(wanted, kReserveBytes));
  while (block.size() < wanted) {
    TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(1));
    if (stop != Stop::kNone) {
      TROMMEL_ASSIGN_OR_RETURN(const Rejected rejected, RejectCutBlock());
      RescanBlock(&block);
      return rejected;
    }
    const std::string_view part =
        text_->view().substr(0, wanted - block.size());
    block.append(part);
    text_->Consume(part.size());
  }
  if (oversize) {
    block.clear();
    return SkipBlock(content_length_ - wanted);
  }
  TROMMEL_ASSIGN_OR_RETURN(const Rejected rejected, ReadRecordEnd());
  if (rejected.has_value()) RescanBlock(&block);
  return rejected;
}

// What is wrong with a record whose block does not go on here.
absl::StatusOr<WarcReader::Rejected> WarcReader::RejectCutBlock() {
  TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(1));
  if (stop == Stop::kDamage) return RejectDamage();
  if (stop == Stop::kEnd) {
    return Reject(RejectReason::kTruncated, "the file ends in the block");
  }
  return Reject(RejectReason::kLengthMismatch, "the frame ends in the block");
}

// Passes over the rest of an oversize block. It is one only if it ends where a
// record ends: a length that is merely damaged leads anywhere, and what it
// leads over is lost.
absl::StatusOr<WarcReader::Rejected> WarcReader::SkipBlock(uint64_t left) {
  at_line_start_ = true;
  while (left > 0) {
    TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(1));
    if (stop != Stop::kNone) return RejectCutBlock();
    const auto count =
        static_cast<size_t>(std::min<uint64_t>(left, text_->view().size()));
    at_line_start_ = text_->view()[count - 1] == '\n';
    text_->Consume(count);
    left -= count;
  }
  TROMMEL_ASSIGN_OR_RETURN(const Rejected rejected, ReadRecordEnd());
  if (rejected.has_value()) return rejected;
  return Reject(RejectReason::kOversizeBlock,
                StrCat("Content-Length ", content_length_));
}

// Judges the record by what follows its block; see the top of the file.
absl::StatusOr<WarcReader::Rejected> WarcReader::ReadRecordEnd() {
  TROMMEL_ASSIGN_OR_RETURN(const Stop stop,
                           text_->Fill(kRecordEndBytes + kRecordStartBytes));
  const std::string_view view = text_->view();
  std::string_view rest = view;
  if (TakeLineEnd(&rest)) TakeLineEnd(&rest);
  if (stop != Stop::kNone && rest == "\r") rest = {};  // half a line end
  size_t line_end_bytes = view.size() - rest.size();
  // Whether the frame that the block ends in begins with or in this record, and
  // has not been seen to end. A frame that ended is a good one.
  const bool owns_open_frame =
      text_->compressed() &&
      text_->frame_text_offset() >= record_text_offset_ &&
      text_->frame_text_offset() < text_->text_offset();
  if (rest.empty() && stop == Stop::kDamage && text_->damaged_frame_visible() &&
      owns_open_frame) {
    return RejectDamage();
  }
  const bool leads_to_stop =
      stop != Stop::kNone && (rest.empty() || MayBecomeRecordStart(rest));
  const bool leads_to_record = IsRecordStart(rest);
  if (leads_to_record && RecordsBeginWithFrames()) {
    TROMMEL_ASSIGN_OR_RETURN(const bool is_good, IsRestOfFrameGood());
    if (!is_good) return RejectDamage();
    frames_hold_many_ = true;
    return ReadRecordEnd();
  }
  if (!leads_to_stop && !leads_to_record) {
    const bool ends_credibly = view.starts_with("\r\n\r\n") ||
                               (view.size() > kRecordEndBytes &&
                                IsRecordStart(view.substr(kRecordEndBytes)));
    if (owns_open_frame || needs_successor_ || !ends_credibly) {
      return Reject(RejectReason::kLengthMismatch,
                    "no record follows where Content-Length leads");
    }
    line_end_bytes = kRecordEndBytes;
  }
  if (text_->compressed() && leads_to_record) frames_hold_many_ = true;
  if (begins_frame_ && leads_to_stop && rest.empty()) ++single_record_frames_;
  text_->Consume(line_end_bytes);
  return std::nullopt;
}

bool WarcReader::RecordsBeginWithFrames() const {
  return text_->compressed() && !frames_hold_many_ &&
         single_record_frames_ >= kSettledFrames;
}

// Whether the frame can be read to its end, as far as that can be held: where
// frames hold one record each, a second one in a frame is believed only if the
// frame's checksum agrees. (Archives that were put together from several hold
// such frames.) At damage nothing is put back.
absl::StatusOr<bool> WarcReader::IsRestOfFrameGood() {
  std::string rest;
  while (rest.size() <= options_.max_block_bytes) {
    TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(1));
    if (stop == Stop::kDamage && text_->damaged_frame_visible()) return false;
    if (stop != Stop::kNone) break;
    const std::string_view part = text_->view();
    rest.append(part);
    text_->Consume(part.size());
  }
  text_->Unread(rest);
  return true;
}

bool WarcReader::RecordsBeginAnywhere() const {
  return !text_->compressed() || frames_hold_many_;
}

int64_t WarcReader::BytesInAll(int64_t file_bytes) const {
  return text_->compressed() && frames_hold_many_
             ? static_cast<int64_t>(text_->bytes_pulled() +
                                    text_->file_bytes_skipped())
             : file_bytes;
}

// Puts back the block of a rejected record, whose bytes are the last that were
// consumed, if they are to be searched, or keeps them until that is known.
void WarcReader::RescanBlock(std::string* block) {
  if (RecordsBeginWithFrames()) return;
  if (!RecordsBeginAnywhere()) {
    held_ = std::move(*block);
    return;
  }
  rescanned_bytes_ += block->size();
  if (rescanned_bytes_ >
      kFreeRescanBytes + kRescanFactor * text_->bytes_pulled()) {
    at_line_start_ = block->empty() || block->back() == '\n';
    return;
  }
  text_->Unread(*block);
}

// Moves to the next record, or to where one may be, or to the end.
absl::Status WarcReader::Resynchronize() {
  const uint64_t frames_skipped = text_->file_bytes_skipped();
  if (!RecordsBeginWithFrames() && !RecordsBeginAnywhere()) {
    TROMMEL_RETURN_IF_ERROR(HoldFrame());
  }
  TROMMEL_RETURN_IF_ERROR(RecordsBeginAnywhere() ? FindLine() : FindFrame());
  uint64_t skipped = 0;
  if (begins_frame_ && text_->compressed() && text_->view().empty()) {
    skipped = text_->stop_file_offset() - rejection_.offset;
  } else {
    skipped = text_->text_offset() - record_text_offset_ +
              text_->file_bytes_skipped() - frames_skipped;
  }
  counters_.bytes_skipped += static_cast<int64_t>(skipped);
  return absl::OkStatus();
}

// The first record is bad: finds out whether the file has a frame for each, and
// if not, puts back the rest of this one's for the search.
absl::Status WarcReader::HoldFrame() {
  while (held_.size() <= options_.max_block_bytes) {
    TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(1));
    if (stop == Stop::kEnd) break;
    if (stop != Stop::kNone) return absl::OkStatus();
    const std::string_view part =
        text_->view().substr(0, options_.max_block_bytes + 1 - held_.size());
    held_.append(part);
    text_->Consume(part.size());
  }
  frames_hold_many_ = true;
  text_->Unread(held_);
  held_ = std::string();
  return absl::OkStatus();
}

// Moves to the next frame that begins with a record. Damage on the way to it
// belongs to the rejected record, but not that of a frame found after it.
absl::Status WarcReader::FindFrame() {
  bool recovered = false;
  while (true) {
    TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(1));
    if (stop == Stop::kNone) {
      text_->Consume(text_->view().size());
    } else if (stop == Stop::kDamage && !recovered) {
      TROMMEL_RETURN_IF_ERROR(text_->RecoverFromDamage());
      recovered = true;
    } else {
      return absl::OkStatus();
    }
  }
}

// Moves to the next line that begins a record, or to a boundary, or the end.
absl::Status WarcReader::FindLine() {
  bool recovered = false;
  while (true) {
    TROMMEL_ASSIGN_OR_RETURN(const Stop stop, text_->Fill(kRecordStartBytes));
    const std::string_view view = text_->view();
    if (at_line_start_ && IsRecordStart(view)) {
      needs_successor_ = !after_empty_line_;
      return absl::OkStatus();
    }
    const size_t end = view.find('\n');
    if (end != std::string_view::npos) {
      after_empty_line_ =
          at_line_start_ && (end == 0 || (end == 1 && view[0] == '\r'));
      text_->Consume(end + 1);
      at_line_start_ = true;
      continue;
    }
    // No line begins within view, except at its start, where too few bytes are
    // left to begin a record.
    text_->Consume(view.size());
    if (!view.empty()) at_line_start_ = false;
    if (stop == Stop::kBoundary || stop == Stop::kEnd) return absl::OkStatus();
    if (stop == Stop::kDamage) {
      if (recovered) return absl::OkStatus();
      TROMMEL_RETURN_IF_ERROR(text_->RecoverFromDamage());
      recovered = true;
      at_line_start_ = true;
      after_empty_line_ = false;
    }
  }
}

}  // namespace trommel::warc

#ifndef TROMMEL_SYNTH_TRUTH_H_
#define TROMMEL_SYNTH_TRUTH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/record/record.h"
#include "proto/schema.pb.h"

namespace trommel::synth {

// A page and what is true of it.
struct GeneratedPage {
  std::string url;
  std::string site;           // the host
  std::string template_name;  // as in the spec
  std::string html;           // bytes in `charset`
  // "utf-8" or "windows-1252"; empty when the site declares none (the bytes
  // are windows-1252 then).
  std::string charset;
  int64_t fetch_time_ms = 0;  // since 1970, UTC
  // Of the site's vertical; lives as long as the program.
  const proto::Schema* schema = nullptr;
  // The records in the order of the page, with the values as the page prints
  // them: white space collapsed, entities decoded, UTF-8. Only detail and list
  // pages have any.
  std::vector<record::Record> records;
};

// The page's lines of truth.jsonl, each ended by a line feed: one per record,
// numbered by "record" when the page has several, or one with empty "values"
// when it has none.
//
//   {"url":"…","site":"…","template":"detail","values":{"title":["…"],…}}
std::string TruthJsonLines(const GeneratedPage& page);

}  // namespace trommel::synth

#endif  // TROMMEL_SYNTH_TRUTH_H_

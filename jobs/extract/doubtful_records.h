#ifndef TROMMEL_JOBS_EXTRACT_DOUBTFUL_RECORDS_H_
#define TROMMEL_JOBS_EXTRACT_DOUBTFUL_RECORDS_H_

#include <string>
#include <vector>

#include "core/record/record.h"
#include "proto/schema.pb.h"

namespace trommel::jobs::extract {

// The records of a page of which none is certain enough to be delivered, in
// document order and at least one, as the detail of its reject tells of them:
//
//   {"confidence":0.4,"values":{"title":["A Film"],"genre":["War","Drama"]}}
//
// Attributes without values are left out. That is the first record; the others
// of a page with several are in a list "others".
std::string DescribeDoubtful(const proto::Schema& schema,
                             const std::vector<const record::Record*>& records);

}  // namespace trommel::jobs::extract

#endif  // TROMMEL_JOBS_EXTRACT_DOUBTFUL_RECORDS_H_

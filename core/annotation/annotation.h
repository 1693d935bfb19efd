#ifndef TROMMEL_CORE_ANNOTATION_ANNOTATION_H_
#define TROMMEL_CORE_ANNOTATION_ANNOTATION_H_

// What an editor says of sample pages, as lines of JSON:
//
//   {"url":"http://a/1","attribute":"title","value":"Table & Kingdom"}
//   {"url":"http://a/1","attribute":"price","value":"$5","xpath":"//b/text()"}
//   {"url":"http://a/1","attribute":"price","value":"$9","negative":true}
//   {"url":"http://a/1","attribute":"runtime","absent":true}
//   {"url":"http://a/2","skip":true}
//
// An attribute that is not mentioned on a page is unknown there. Values of a
// repeated attribute are complete; of the others one is enough.
//
// On a page with several records, lines say which one they are about, from 0 in
// document order, and one line may say that there are no others; alone it says
// that the page has no record at all:
//
//   {"url":"http://a/3","attribute":"title","value":"Dune","record":0}
//   {"url":"http://a/3","attribute":"title","value":"Solaris","record":1}
//   {"url":"http://a/3","attribute":"price","absent":true,"record":1}
//   {"url":"http://a/3","complete":true}

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/schema.pb.h"

namespace trommel::annotation {

struct Annotation {
  enum class Kind {
    kValue,
    kNegative,  // this value, at this node, is not the attribute's
    kAbsent,    // the page, or the record, does not have the attribute
    kSkip,      // the page's cluster is not wanted
    kComplete,  // all records of the page are annotated
  };
  int64_t line = 0;  // of its file, from 1; 0 when it is from none
  Kind kind = Kind::kValue;
  std::string url;
  std::string attribute;          // empty for kSkip and kComplete
  std::string value;              // kValue and kNegative, as given
  std::string xpath;              // of the node; empty when not given
  std::optional<int64_t> record;  // on pages with several records

  // "title of http://a/1", for messages.
  std::string Subject() const;
};

// One line. InvalidArgument says which member is missing or wrong.
absl::StatusOr<Annotation> ParseAnnotation(std::string_view json);
// The line of an annotation, without its end.
std::string FormatAnnotation(const Annotation& annotation);

// A problem with a line, for people: "12: no page http://… in the sample".
struct AnnotationProblem {
  int64_t line = 0;
  std::string message;
};

// All lines of a text; blank ones are passed over. Lines that are no
// annotations are problems.
std::vector<Annotation> ParseAnnotations(
    std::string_view text, std::vector<AnnotationProblem>* problems);

// What makes a set of annotations unusable: attributes that the schema does not
// have, and URLs that are not in the sample.
std::vector<AnnotationProblem> FindErrors(
    const std::vector<Annotation>& annotations, const proto::Schema& schema,
    const std::set<std::string>& sample_urls);

// Annotations that contradict each other, which is no reason to stop: of a
// value and "absent" on the same page the value counts; of a value and the same
// value marked as negative, at the same node or at no node in particular, of
// the same record or of none in particular, neither; of annotations and "skip",
// the skip. Nothing contradicts "complete". Removes what does not count, and
// repetitions, from `annotations`, which it also puts into an order that does
// not depend on that of the lines.
// `line_name` is how messages refer to another line; "line 12" without it.
std::vector<AnnotationProblem> RemoveContradictions(
    std::vector<Annotation>* annotations,
    const std::function<std::string(int64_t line)>& line_name = nullptr);

// All of them in one message, "NAME:12: …" a line; so many and the number of
// the rest.
std::string DescribeProblems(std::string_view name,
                             const std::vector<AnnotationProblem>& problems,
                             size_t max_lines = 20);

}  // namespace trommel::annotation

#endif  // TROMMEL_CORE_ANNOTATION_ANNOTATION_H_

#ifndef TROMMEL_CORE_ANNOTATION_PLACED_VALUES_H_
#define TROMMEL_CORE_ANNOTATION_PLACED_VALUES_H_

// The annotations of a cluster's sample, with the nodes that they are about:
// what every learner begins with.
//
//   const PlacedAnnotations placed =
//       PlaceAnnotations(*input.schema, input.annotations, pages);
//   for (const PlacedValue& value : placed.attributes[0].values) {
//     ... pages[value.page], value.place.node
//   }

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/annotation/annotation.h"
#include "core/annotation/page_text.h"
#include "core/annotation/resolve.h"
#include "proto/schema.pb.h"

namespace trommel::annotation {

// A value of an attribute and where its page says it.
struct PlacedValue {
  size_t page = 0;  // its place among the pages
  std::string value;
  ValuePlace place;
  // Values with the same number are in places alike; as in ResolvedValue.
  int group = 0;
  std::optional<int64_t> record;  // on pages with several records
};

struct PlacedAttribute {
  // Whether a value is annotated on any of the pages, found or not.
  bool is_annotated = false;
  // Whether one came with an XPath: the editor has said which node it is.
  bool has_xpath = false;
  // Those that were found, in the order of the annotations. Values of different
  // records of a page are in different places, in the order of the records.
  std::vector<PlacedValue> values;
  std::vector<PlacedValue> negatives;  // nodes that are not the attribute's
  std::vector<size_t> absent_pages;    // that do not have it at all
  // Records without it: page and record.
  std::vector<std::pair<size_t, int64_t>> absent_records;
};

struct PlacedAnnotations {
  std::vector<PlacedAttribute> attributes;  // by place in the schema
  // Pages of which all records are annotated, ascending. Those without any
  // annotated value have no record, and are absent pages of every attribute.
  std::vector<size_t> complete_pages;
  // Values that are not on their pages, XPaths that were not used, second
  // values of attributes that have one.
  std::vector<AnnotationProblem> warnings;
};

// Finds the nodes of all annotations of `pages`; those of other pages are
// passed over. Neither the order of annotations nor that of pages decides
// anything but the order of what is returned.
PlacedAnnotations PlaceAnnotations(const proto::Schema& schema,
                                   const std::vector<Annotation>& annotations,
                                   const std::vector<ResolvePage>& pages);

}  // namespace trommel::annotation

#endif  // TROMMEL_CORE_ANNOTATION_PLACED_VALUES_H_

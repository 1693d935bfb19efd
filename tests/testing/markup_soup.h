#ifndef TROMMEL_TESTS_TESTING_MARKUP_SOUP_H_
#define TROMMEL_TESTS_TESTING_MARKUP_SOUP_H_

// Random markup, from realistic to absurd.

#include <cstddef>
#include <string>

#include "core/base/random.h"

namespace trommel::testing_support {

// Uniform random bytes.
std::string RandomBytes(Random* random, size_t size);

// About `num_pieces` random tags, broken tags, texts, entities, comments and
// raw-text elements in any order. Without <svg>, <math> and <frameset>.
std::string MarkupSoup(Random* random, size_t num_pieces);

// As MarkupSoup(), with everything that makes tree building difficult: foreign
// content, templates, framesets, select, odd table parts.
std::string HostileSoup(Random* random, size_t num_pieces);

// A page like those of real sites: mostly well-formed blocks, lists, tables,
// forms and inline formatting, with the usual mistakes (unclosed <p> and <li>,
// overlapping formatting, stray end tags, text inside tables).
std::string RealisticPage(Random* random, size_t num_pieces);

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_MARKUP_SOUP_H_

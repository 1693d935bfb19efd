#ifndef TROMMEL_TESTS_MAPREDUCE_ENGINE_TEST_STEPS_H_
#define TROMMEL_TESTS_MAPREDUCE_ENGINE_TEST_STEPS_H_

// Steps made to try engines out.

#include "mapreduce/job/job.h"

namespace trommel::testing_support {

// "words": counts the words of the column text; it has a combiner. Table ".":
// word, count.
//
// "echo": rows of key, order, value, action; emits the value under the key,
// sorted by order. Table ".": key, number of values, and the values in their
// order, each with its order. What `action` says is done first:
//   ""        nothing
//   crash     dereferences null          abort   calls abort()
//   exit      calls _exit(7)             hang    sleeps for an hour
//   eat       allocates without end      reject  rejects the row
//   fail      returns an error           bad     returns a permanent error
//   once:F    creates the file F and kills its process, unless F exists
//   parent:F  the same with the process that supervises it
//   sleep     takes 2 ms
// A group whose key begins with "reduce-fail" fails in the reducer, with
// "reduce-crash" crashes it, with "reduce-once:F" crashes it as "once" does.
//
// "flood": each row (a number, as key) emits that many values of 1000 bytes
// under one key. Table ".": key, values, and whether they came in order.
//
// "sides": reads side data "greetings" (a file) and writes, map only, three
// tables: "odd" and "even" by the rows' `order`, and "_scratch/all".
//
// "second": reads the tables of "sides" and counts them per key. Table ".".
mr::StepRegistry MakeTestSteps();

// The columns that each of them reads.
std::vector<io::ColumnRequest> EchoColumns();
std::vector<io::ColumnRequest> WordColumns();

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_MAPREDUCE_ENGINE_TEST_STEPS_H_

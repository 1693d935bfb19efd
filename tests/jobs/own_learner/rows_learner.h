#ifndef TROMMEL_TESTS_JOBS_OWN_LEARNER_ROWS_LEARNER_H_
#define TROMMEL_TESTS_JOBS_OWN_LEARNER_ROWS_LEARNER_H_

namespace trommel::testing_support {

// A learner that trommel does not have, "rows", with a kind of program that it
// does not know: pages are lists, each element of one class is a record, and
// inside it each attribute has a class of its own. It shows what a learner of
// many records a page has to bring; docs/extending.md tells of it.
//
// Makes both known; the main program calls it before anything else.
void RegisterRowsLearner();

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_JOBS_OWN_LEARNER_ROWS_LEARNER_H_

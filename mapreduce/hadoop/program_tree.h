#ifndef TROMMEL_MAPREDUCE_HADOOP_PROGRAM_TREE_H_
#define TROMMEL_MAPREDUCE_HADOOP_PROGRAM_TREE_H_

#include <string>

namespace trommel::mr {

// The folder of shared libraries in the tree that the running program is
// installed in, ../lib as seen from the program; whether it exists is another
// matter: a program that runs where it was built has none.
std::string ProgramLibraryFolder();

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_HADOOP_PROGRAM_TREE_H_

#ifndef TROMMEL_MAPREDUCE_ENGINE_LOCAL_LOCAL_ENGINE_H_
#define TROMMEL_MAPREDUCE_ENGINE_LOCAL_LOCAL_ENGINE_H_

#include <memory>
#include <string>

#include "mapreduce/engine/engine.h"

namespace trommel::mr {

struct LocalOptions {
  int workers = 0;  // processes at a time; 0: as many as there are cores
  TaskLimits limits;
};

// Runs the tasks of a step as processes of this program on this machine, first
// all maps, then all reduces. Map output waits for the reducers in sorted files
// beside the output, or where that is not local, in the system's folder for
// temporary files.
std::unique_ptr<Engine> MakeLocalEngine(const LocalOptions& options);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_ENGINE_LOCAL_LOCAL_ENGINE_H_

#ifndef TROMMEL_JOBS_INGEST_INGEST_H_
#define TROMMEL_JOBS_INGEST_INGEST_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

// `trommel ingest`: archives, directories and JSON lines into a crawl.
std::unique_ptr<cli::Verb> MakeIngestVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_INGEST_INGEST_H_

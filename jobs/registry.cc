#include "jobs/registry.h"

#include "jobs/dom/dom.h"
#include "jobs/generate/generate.h"
#include "jobs/ingest/ingest.h"

namespace trommel {

std::vector<std::unique_ptr<cli::Verb>> AllVerbs() {
  std::vector<std::unique_ptr<cli::Verb>> verbs;
  verbs.push_back(MakeIngestVerb());
  verbs.push_back(MakeGenerateVerb());
  verbs.push_back(MakeDomVerb());
  return verbs;
}

}  // namespace trommel

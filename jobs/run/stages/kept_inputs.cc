#include "jobs/run/stages/kept_inputs.h"

#include <set>

#include "core/base/status.h"
#include "jobs/run/layout/dates.h"
#include "mapreduce/io/location.h"

namespace trommel::jobs::run::stages {
namespace {

std::set<std::string> InputsOf(const layout::Layout& layout,
                               const std::vector<scheduling::Stage>& stages) {
  std::set<std::string> inputs;
  for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
    inputs.insert(vertical.schema());
    for (const scheduling::Stage& stage : stages) {
      inputs.insert(layout.Crawl(stage.date));
      inputs.insert(layout::ForDate(vertical.annotations(), stage.date));
    }
  }
  return inputs;
}

// The folders that a stage replaces.
std::vector<std::string> ReplacedBy(const layout::Layout& layout,
                                    const scheduling::Stage& stage) {
  if (stage.kind == "crawl") return {};  // others write that
  if (stage.kind != "extract") return {stage.output};
  return {stage.output, layout.Extracted(stage.date),
          layout.Rejects(stage.date), layout.Figures(stage.date)};
}

}  // namespace

absl::Status CheckInputsAreKept(const layout::Layout& layout,
                                const std::string& pipeline_file,
                                const std::vector<scheduling::Stage>& stages) {
  struct Input {
    std::string path;
    io::Location location;
  };
  std::vector<Input> inputs;
  std::set<std::string> paths = InputsOf(layout, stages);
  paths.insert(pipeline_file);
  for (const std::string& path : paths) {
    TROMMEL_ASSIGN_OR_RETURN(io::Location location, io::Location::Of(path));
    inputs.push_back({path, std::move(location)});
  }
  for (const scheduling::Stage& stage : stages) {
    for (const std::string& replaced : ReplacedBy(layout, stage)) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Location output,
                               io::Location::Of(replaced));
      for (const Input& input : inputs) {
        if (!output.Contains(input.location)) continue;
        return absl::InvalidArgumentError(
            StrCat(input.path, " lies inside ", replaced, ", which the stage ",
                   stage.Name(), " replaces as a whole; keep it elsewhere"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace trommel::jobs::run::stages

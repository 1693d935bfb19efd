#ifndef TROMMEL_TESTS_TESTING_FORMER_LAYOUT_H_
#define TROMMEL_TESTS_TESTING_FORMER_LAYOUT_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/testing/temp_dir.h"

namespace trommel::testing_support {

// Gives an output of `trommel extract` the layout that it had at first: the
// tables schema=NAME/, _rejects/ and _figures/ side by side.
inline void GiveFormerLayout(const std::string& output) {
  namespace fs = std::filesystem;
  for (const fs::directory_entry& schema :
       fs::directory_iterator(output + "/records")) {
    fs::rename(schema.path(), output + "/" + schema.path().filename().string());
  }
  fs::remove(output + "/records");
  fs::rename(output + "/rejects", output + "/_rejects");
  fs::rename(output + "/figures", output + "/_figures");
  // Its manifest listed them so, and had no digest of itself.
  auto manifest =
      nlohmann::ordered_json::parse(ReadWholeFile(output + "/_SUCCESS"));
  for (auto& shard : manifest["shards"]) {
    const std::string file = shard["file"];
    const std::string records = "records/";
    shard["file"] =
        file.rfind(records, 0) == 0 ? file.substr(records.size()) : "_" + file;
  }
  manifest.erase("self_digest");
  WriteWholeFile(output + "/_SUCCESS", manifest.dump());
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_FORMER_LAYOUT_H_

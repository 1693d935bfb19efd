#ifndef TROMMEL_TESTS_TESTING_XPATH_JUDGE_H_
#define TROMMEL_TESTS_TESTING_XPATH_JUDGE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/document.h"
#include "core/xpath/matcher.h"

namespace trommel::testing_support {

// What pugixml selects on a page's XML, as nodes of the page.
class XPathJudge {
 public:
  // The document is read here and only referred to for attribute values later.
  // Fails if the XML has other nodes than the document.
  static absl::StatusOr<XPathJudge> Open(const html::Document& document);

  XPathJudge(XPathJudge&&) noexcept;
  ~XPathJudge();

  // In document order. Fails if pugixml rejects the expression. `context` is
  // where relative paths start.
  absl::StatusOr<std::vector<xpath::Match>> Select(
      const std::string& expression, html::NodeId context = 0) const;

 private:
  struct Page;
  explicit XPathJudge(std::unique_ptr<Page> page);

  std::unique_ptr<Page> page_;
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_XPATH_JUDGE_H_

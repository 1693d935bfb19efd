#include "core/warc/media_type.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trommel::warc {
namespace {

TEST(ParseMediaType, Table) {
  struct Case {
    std::string text;
    std::string mime_type;
    std::string charset;
  };
  const std::vector<Case> cases = {
      {"", "", ""},
      {"text/html", "text/html", ""},
      {" Text/HTML ", "text/html", ""},
      {"text/html; charset=utf-8", "text/html", "utf-8"},
      {"text/html;charset=UTF-8", "text/html", "UTF-8"},
      {"text/html; charset=\"utf-8\"", "text/html", "utf-8"},
      {"text/html; charset='utf-8'", "text/html", "utf-8"},
      {"text/html; charset=\"utf-8", "text/html", "utf-8"},
      {"text/html; CharSet = koi8-r ", "text/html", "koi8-r"},
      {"text/html; a=b; charset=x; c=d", "text/html", "x"},
      {"text/html; a=\"b;charset=no\"; charset=x", "text/html", "x"},
      {"text/html; charset=x; charset=y", "text/html", "x"},
      {"text/html;;; charset=x", "text/html", "x"},
      {"text/html; charset", "text/html", ""},
      {"text/html; charset=", "text/html", ""},
      {"text/html; charset=\"", "text/html", ""},
      {"text/html, text/plain; charset=x", "text/html", "x"},
      {"application/http; msgtype=response", "application/http", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const MediaType result = ParseMediaType(c.text);
    EXPECT_EQ(result.mime_type, c.mime_type);
    EXPECT_EQ(result.charset, c.charset);
  }
}

}  // namespace
}  // namespace trommel::warc

#include "jobs/tables/site_rule.h"

#include <gtest/gtest.h>

#include <string>

namespace trommel::jobs::tables {
namespace {

TEST(SiteRuleTest, Table) {
  struct Case {
    const char* key;
    const char* site;  // in the table
    const char* url;
    const char* expected;
  };
  const Case kCases[] = {
      {"host", "", "http://WWW.Shop.co.uk:81/a", "www.shop.co.uk"},
      {"host", "ignored", "no url", "-"},
      {"registered_domain", "", "http://www.shop.co.uk/a", "shop.co.uk"},
      {"fixed", "mix", "http://www.shop.co.uk/a", "mix"},
  };
  for (const Case& c : kCases) {
    const auto rule = SiteRule::FromTable(c.key, c.site);
    ASSERT_TRUE(rule.ok()) << rule.status();
    EXPECT_EQ(rule->SiteOf(c.url), c.expected);
    EXPECT_EQ(rule->key(), c.key);
  }
  EXPECT_EQ(SiteRule().key(), "host");
  EXPECT_EQ(SiteRule::Fixed("x").SiteOf("http://a.example/"), "x");
}

TEST(SiteRuleTest, UnknownKeys) {
  EXPECT_EQ(SiteRule::FromTable("path", "").status().message(),
            "site_key \"path\" is none of host, registered_domain and fixed");
  EXPECT_EQ(SiteRule::FromTable("fixed", "").status().message(),
            "site_key \"fixed\" without a site");
}

}  // namespace
}  // namespace trommel::jobs::tables

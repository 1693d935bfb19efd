#include "core/html/tag_scanner.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/html/parser.h"
#include "tests/testing/lexbor_tokens.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/seed.h"

namespace trommel::html {
namespace {

using std::string_view_literals::operator""sv;
using testing_support::LexborTags;
using testing_support::ScannedTags;
using testing_support::TagList;

std::string Join(const TagList& tags) {
  std::string out;
  for (const std::string& tag : tags) {
    if (!out.empty()) out += ' ';
    out += tag;
  }
  return out;
}

TEST(TagScannerTest, Table) {
  struct Case {
    const char* label;
    std::string_view html, tags;
  };
  const Case kCases[] = {
      {"empty", "", ""},
      {"no tags", "plain text & more", ""},
      {"tags", "<p>a</p><br>", "p /p br"},
      {"case", "<DIV></Div>", "div /div"},
      {"attributes", "<p a b=c d='e' f=\"g\">", "p"},
      {"'>' in double quotes", "<p a=\">\">x</p>", "p /p"},
      {"'>' in single quotes", "<p a='>'>x</p>", "p /p"},
      {"the other quote inside", "<p a='\"'><b>", "p b"},
      {"unquoted value ends at '>'", "<p a=b><i>", "p i"},
      {"unquoted value with quotes", "<p a=b\"c><i>", "p i"},
      {"unquoted value with a slash", "<p a=b/><i>", "p i"},
      {"quote in a name", "<p a\"b='>'><i>", "p i"},
      {"quote as a name", "<p \"><i>", "p i"},
      {"'=' as a name", "<p ='><i>", "p i"},
      {"'=' as a name with a value", "<p =='><i>'><b>", "p b"},
      {"empty value", "<p a=><i>", "p i"},
      {"spaces around '='", "<p a = '>' b\n=\t\">\"><i>", "p i"},
      {"value behind a slash", "<p a=/ b='>'><i>", "p i"},
      {"no space between attributes", "<p a='>'b='>'><i>", "p i"},
      {"unclosed quote", "<p><b a='></b>", "p"},
      {"self-closing", "<br/><br /><g/ >", "br br g"},
      {"slash in a tag", "<a/b><a/b/c>", "a a"},
      {"quotes in end tags", "</p a='>'>x<b>", "/p b"},
      {"empty end tag", "</>x<p>", "p"},
      {"bogus end tag", "</ p>x<p>", "p"},
      {"end tag of a number", "</3><p>", "p"},
      {"less-than", "1 < 2 <3 <= <p>", "p"},
      {"two less-thans", "<<p>", "p"},
      {"less-than in a name", "<a<b>", "a<b"},
      {"at the end", "<p>x<", "p"},
      {"end tag at the end", "<p>x</", "p"},
      {"tag without end", "<p><div class=x", "p"},
      {"name without end", "<p><di", "p"},
      {"comment", "<!-- <p> --><b>", "b"},
      {"comment with dashes", "<!-- -- - -> <p> --><b>", "b"},
      {"shortest comments", "<!--><a><!---><b><!----><i>", "a b i"},
      {"comment with bang", "<!-- <p> --!><b>", "b"},
      {"comment, bang alone", "<!-- --! > <p> --><b>", "b"},
      {"comment with many dashes", "<!------><b>", "b"},
      {"comment in a comment", "<!--<!--><b>", "b"},
      {"unclosed comment", "<p><!-- <b>", "p"},
      {"comment cut off", "<p><!--", "p"},
      {"bogus comments", "<!x><a><!><b><!-x><i><?y z><u>", "a b i u"},
      {"doctype", "<!DOCTYPE html PUBLIC \"-//W3C\" \"x\"><p>", "p"},
      {"doctype ends at '>' even in quotes", "<!DOCTYPE html \"a>b\"><p>", "p"},
      {"processing instruction", "<?xml version='1.0'?><p>", "p"},
      {"CDATA in HTML is a comment up to '>'", "<![CDATA[<a>]]><b>", "b"},
      {"CDATA in svg", "<svg><![CDATA[<a>]]></svg><b>", "svg /svg b"},
      {"CDATA in svg with brackets", "<svg><![CDATA[]]]><a></svg>",
       "svg a /svg"},
      {"unclosed CDATA", "<svg><![CDATA[<a>", "svg"},
      {"CDATA is upper case", "<svg><![cdata[<a>]]></svg>", "svg /svg"},
      {"CDATA behind svg", "<svg></svg><![CDATA[<a>]]>", "svg /svg"},
      {"script", "<script>a<b</script><p>", "script /script p"},
      {"script with tags", "<script>'<p>'</script><b>", "script /script b"},
      {"script, end tag in another case", "<script><p></SCRIPT><b>",
       "script /script b"},
      {"script, end tag with attributes", "<script><p></script a='>'><b>",
       "script /script b"},
      {"script, longer name", "<script></scripts><p></script>",
       "script /script"},
      {"script in a comment", "<script><!-- <p> --></script><b>",
       "script /script b"},
      {"script end in an escape", "<script><!-- <p></script><b>",
       "script /script b"},
      {"script double escape",
       "<script><!-- <script> <p></script> <i> --></script><b>",
       "script /script b"},
      {"script double escape ends with the comment",
       "<script><!-- <script> --></script><b>", "script /script b"},
      {"script double escape, unclosed",
       "<script><!-- <script> </script> <p></script><b>", "script /script b"},
      {"script, short comment", "<script><!--><script></script><b>",
       "script /script b"},
      {"script without end", "<script><p>", "script"},
      {"style", "<style>a<b></STYLE ><p>", "style /style p"},
      {"title", "<title><p></title><b>", "title /title b"},
      {"textarea", "<textarea><p></textarea><b>", "textarea /textarea b"},
      {"raw text, end tag of another", "<title></style><p></title>",
       "title /title"},
      {"raw text does not know comments", "<title><!--</title>--><p>",
       "title /title p"},
      {"iframe, xmp, noembed, noframes",
       "<iframe><p></iframe><xmp><p></xmp><noembed><p></noembed>"
       "<noframes><p></noframes>",
       "iframe /iframe xmp /xmp noembed /noembed noframes /noframes"},
      {"noscript is no raw text", "<noscript><p></noscript>",
       "noscript p /noscript"},
      {"plaintext", "<p><plaintext><b></plaintext>", "p plaintext"},
      {"end tags open no raw text", "</script><p>", "/script p"},
      {"self-closing script is open", "<script/><p></script>",
       "script /script"},
      {"title in svg", "<svg><title><a></title></svg>",
       "svg title a /title /svg"},
      {"style in svg", "<svg><style><a></style></svg>",
       "svg style a /style /svg"},
      {"self-closing svg", "<svg/><title><a></title>", "svg title /title"},
      {"HTML ends svg", "<svg><p><title><a></title>", "svg p title /title"},
      {"nested svg", "<svg><svg></svg><title><a></title></svg>",
       "svg svg /svg title a /title /svg"},
      {"math", "<math><mi><![CDATA[<a>]]></mi></math>", "math mi /mi /math"},
      {"long names",
       "<x-very-long-custom-element></x-very-long-custom-element>",
       "x-very-long-custom-element /x-very-long-custom-element"},
      {"white space in tags", "<p\n\tclass=x\f><b\r>", "p b"},
      {"U+0000 is part of the name", "<script\0><p></script\0>"sv,
       "script\xEF\xBF\xBD p /script\xEF\xBF\xBD"},
      {"names with other bytes", "<h\xC3\xA9><a:b><a.b>", "h\xC3\xA9 a:b a.b"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Join(ScannedTags(c.html)), c.tags) << c.label;
    // The table itself is checked against the reference.
    EXPECT_EQ(Join(LexborTags(c.html)), c.tags) << c.label << " (lexbor)";
  }
}

TEST(TagScannerTest, GivesKeysAndNames) {
  std::vector<Tag> tags;
  ScanTags("<Div></tAble><x-long-name>",
           [&](const Tag& tag) { tags.push_back(tag); });
  ASSERT_EQ(tags.size(), 3u);
  EXPECT_EQ(tags[0].key, TagKey("div"));
  EXPECT_EQ(tags[0].name, "Div");
  EXPECT_FALSE(tags[0].end);
  EXPECT_EQ(tags[1].key, TagKey("table"));
  EXPECT_TRUE(tags[1].end);
  EXPECT_EQ(tags[2].key, TagKey("x-long-name"));
}

// Tags with their attributes, "p[a=b][c=]"; attributes without a tag stay at
// the end.
class AttributeSink {
 public:
  void Attribute(std::string_view name, std::string_view value) {
    StrAppend(&attributes_, "[", name, "=", value, "]");
  }
  void operator()(const Tag& tag) {
    StrAppend(&text_, text_.empty() ? "" : " ", tag.end ? "/" : "", tag.name,
              attributes_);
    attributes_.clear();
  }
  std::string Take() const { return text_ + attributes_; }

 private:
  std::string attributes_, text_;
};

std::string TagsWithAttributes(std::string_view html) {
  AttributeSink sink;
  ScanTags(html, sink);
  return sink.Take();
}

TEST(TagScannerTest, ReportsAttributes) {
  struct Case {
    const char* label;
    std::string_view html, tags;
  };
  const Case kCases[] = {
      {"none", "<p>x</p>", "p /p"},
      {"white space only", "<p \n\t>", "p"},
      {"without value", "<p a>", "p[a=]"},
      {"two without value", "<p a b>", "p[a=][b=]"},
      {"unquoted", "<p a=b>", "p[a=b]"},
      {"single quotes", "<p a='b c'>", "p[a=b c]"},
      {"double quotes", "<p a=\"b c\">", "p[a=b c]"},
      {"the other quote inside", "<p a='\"' b=\"'\">", "p[a=\"][b=']"},
      {"'>' in quotes", "<p a='>'>", "p[a=>]"},
      {"empty quotes", "<p a='' b=\"\">", "p[a=][b=]"},
      {"empty value", "<p a=>", "p[a=]"},
      {"as it stands", "<P Class='A &amp; B'>", "P[Class=A &amp; B]"},
      {"spaces around '='", "<p a = b c\n=\t'd'>", "p[a=b][c=d]"},
      {"space before no value", "<p a b=c>", "p[a=][b=c]"},
      {"no space between", "<p a='b'c='d'>", "p[a=b][c=d]"},
      {"slash is no value", "<p a/b/>", "p[a=][b=]"},
      {"slash in a value", "<a href=/x/>", "a[href=/x/]"},
      {"self-closing", "<br class=x />", "br[class=x]"},
      {"quotes in an unquoted value", "<p a=b'c\">", "p[a=b'c\"]"},
      {"quote as a name", "<p \">", "p[\"=]"},
      {"'=' as a name", "<p =a>", "p[=a=]"},
      {"'=' as a name with a value", "<p ==a>", "p[==a]"},
      {"'=' twice", "<p a==b>", "p[a==b]"},
      {"twice the same", "<p a=b a=c>", "p[a=b][a=c]"},
      {"end tag", "</p a=b>", "/p[a=b]"},
      {"each tag its own", "<p a=b><i><b c=d>", "p[a=b] i b[c=d]"},
      {"not in comments", "<!-- <p a=b> --><i>", "i"},
      {"not in scripts", "<script a=b>'<p c=d>'</script>",
       "script[a=b] /script"},
      {"not in doctypes", "<!DOCTYPE html a=b><i>", "i"},
      {"cut off behind an attribute", "<i><p a=b c='d' ", "i[a=b][c=d]"},
      {"cut off in quotes", "<i><p a=b c='d", "i[a=b]"},
      {"cut off in a value", "<i><p a=b c=d", "i[a=b]"},
      {"cut off in a name", "<i><p a", "i"},
      {"cut off behind '='", "<i><p a=", "i"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(TagsWithAttributes(c.html), c.tags) << c.label;
  }
}

// A tag of random attributes against the parser, which keeps the first of
// those with the same name.
TEST(TagScannerTest, AttributesAgreeWithTheParser) {
  Random random(testing_support::TestSeed(213));
  const std::unique_ptr<Parser> parser = MakeParser(ParserKind::kLexbor, {});
  constexpr std::string_view kParts[] = {"a",  "bB", "class", "=", "=", " ",
                                         "\t", "\n", "'",     "'", "/", "\"",
                                         "\"", ".",  "x",     "1"};
  struct Sink {
    std::map<std::string, std::string> first;
    bool open = true;
    void Attribute(std::string_view name, std::string_view value) {
      std::string lower(name);
      for (char& c : lower)
        c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      if (open) first.try_emplace(lower, value);
    }
    void operator()(const Tag&) { open = false; }
  };
  int compared = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string page = "<body><p ";
    for (uint64_t parts = random.Below(14); parts > 0; --parts) {
      page += kParts[random.Below(std::size(kParts))];
    }
    page += ">";
    Sink sink;
    ScanTags(std::string_view(page).substr(6), sink);
    Document document;
    ASSERT_EQ(parser->ParseUtf8(page, &document), ParseOutcome::kOk);
    const NodeId p = static_cast<NodeId>(document.num_nodes() - 1);
    if (document.TagOf(p) != "p") {  // an open quote: no tag
      ASSERT_TRUE(sink.open) << page;
      continue;
    }
    std::map<std::string, std::string> parsed;
    for (const Attribute& attribute : document.Attributes(p)) {
      parsed.emplace(document.NameOf(attribute.name),
                     document.Value(attribute));
    }
    ASSERT_EQ(sink.first, parsed) << page;
    ++compared;
  }
  EXPECT_GT(compared, 10000);
}

// Asking for attributes changes no tag, and what is reported lies in the page.
TEST(TagScannerTest, AttributesChangeNoTags) {
  struct Sink {
    std::string_view page;
    std::string tags;
    void Check(std::string_view part) {
      ASSERT_TRUE(part.data() == nullptr ||
                  (part.data() >= page.data() &&
                   part.data() + part.size() <= page.data() + page.size()));
    }
    void Attribute(std::string_view name, std::string_view value) {
      ASSERT_FALSE(name.empty());
      Check(name);
      Check(value);
    }
    void operator()(const Tag& tag) {
      StrAppend(&tags, tag.end, tag.name, "|");
    }
  };
  Random random(testing_support::TestSeed(214));
  for (int round = 0; round < 3000; ++round) {
    const std::string page =
        testing_support::HostileSoup(&random, random.Below(60));
    Sink sink = {page, ""};
    ScanTags(page, sink);
    std::string tags;
    ScanTags(page,
             [&](const Tag& tag) { StrAppend(&tags, tag.end, tag.name, "|"); });
    ASSERT_EQ(sink.tags, tags) << page;
  }
}

TEST(TagKeyTest, DifferentNamesHaveDifferentKeys) {
  std::map<uint64_t, std::string> seen;
  const auto check = [&](const std::string& name) {
    const auto [entry, inserted] = seen.try_emplace(TagKey(name), name);
    EXPECT_TRUE(inserted) << name << " and " << entry->second;
  };
  // Short names, all lengths around eight, and long ones that differ in one
  // place.
  for (char a = 'a'; a <= 'z'; ++a) {
    check(std::string(1, a));
    for (char b = 'a'; b <= 'z'; ++b) {
      check({a, b});
      for (size_t length = 3; length <= 12; ++length) {
        std::string name(length, 'x');
        name[0] = a;
        name[length - 1] = b;
        if (name != std::string(length, 'x') || a == 'x') check(name);
      }
    }
  }
  std::string name(40, 'q');
  check(name);
  for (size_t i = 0; i < name.size(); ++i) {
    std::string other = name;
    other[i] = 'r';
    check(other);
  }
  check(std::string("a\0", 2));
  check(std::string("a\0\0", 3));
  check(std::string("\0a", 2));
  static_assert(TagKey("div") != TagKey("dvi"));
  static_assert(TagKey("blockquote") != TagKey("blockquotf"));
}

// Every prefix of a page gives a prefix of its tags: what is cut off does not
// change what was before.
TEST(TagScannerTest, EveryPrefixGivesAPrefix) {
  const std::string_view page =
      "<!DOCTYPE html><html><head><title>a<b</title><script>if (a<b) '</p>'; "
      "<!-- <script> </script> --></script></head><body class='x > y'>"
      "<!-- c --><p a=b c=\"d>e\" f>text</p><svg><![CDATA[<x>]]><g/></svg>"
      "<textarea></p></textarea><?pi x?></body></html>";
  const TagList all = ScannedTags(page);
  EXPECT_EQ(all, LexborTags(page));
  for (size_t size = 0; size <= page.size(); ++size) {
    // A copy, so that reading past the end is seen by the sanitizer.
    const std::vector<char> copy(page.begin(), page.begin() + size);
    const TagList tags =
        ScannedTags(std::string_view(copy.data(), copy.size()));
    ASSERT_LE(tags.size(), all.size());
    for (size_t i = 0; i < tags.size(); ++i) {
      ASSERT_EQ(tags[i], all[i]) << "prefix of " << size;
    }
  }
}

// The scanner against lexbor's tokenizer during a full parse. MarkupSoup() has
// everything the tokenizer does on its own. Left out are the places where the
// tokenizer depends on the tree in a way that a counter cannot follow:
//   - inside <svg> and <math>: HTML integration points (foreignObject, desc,
//     title, mi, annotation-xml), where raw text exists again; end tags of
//     HTML elements, which end foreign content only if their element is open;
//     <font> with color, face or size;
//   - <frameset>: raw-text elements other than <noframes> are ignored in it.
// Well-formed <svg> is covered by the next test.
TEST(TagScannerTest, AgreesWithLexborOnRandomMarkup) {
  Random random(testing_support::TestSeed(209));
  for (int round = 0; round < 20000; ++round) {
    const std::string page =
        testing_support::MarkupSoup(&random, random.Below(40));
    ASSERT_EQ(Join(ScannedTags(page)), Join(LexborTags(page))) << page;
  }
}

TEST(TagScannerTest, AgreesWithLexborOnRealisticPages) {
  Random random(testing_support::TestSeed(210));
  for (int round = 0; round < 3000; ++round) {
    const std::string page =
        testing_support::RealisticPage(&random, random.Below(40));
    ASSERT_EQ(Join(ScannedTags(page)), Join(LexborTags(page))) << page;
  }
}

TEST(TagScannerTest, AgreesWithLexborOnWellFormedSvg) {
  Random random(testing_support::TestSeed(211));
  constexpr std::string_view kParts[] = {"<g>x</g>",
                                         "<path d='M0 0 >'/>",
                                         "<![CDATA[<p> ]] > ]]>",
                                         "<title>t</title>",
                                         "<style>a{}</style>",
                                         "<script>x</script>",
                                         "<!-- <p> -->",
                                         "text &lt;",
                                         "<svg><a/></svg>",
                                         "<linearGradient/>",
                                         "<use xlink:href=#a></use>",
                                         "<xmp/>",
                                         "]]>"};
  for (int round = 0; round < 3000; ++round) {
    std::string page;
    for (int i = 0; i < 4; ++i) {
      page += "<div>";
      page += random.Chance(0.7) ? "<svg>" : "<math>";
      const bool svg = page.back() == '>' && page[page.size() - 2] == 'g';
      while (random.Chance(0.7)) {
        page += kParts[random.Below(std::size(kParts))];
      }
      page += svg ? "</svg>" : "</math>";
      page += "<title><b></title></div><![CDATA[<i>]]>";
    }
    ASSERT_EQ(Join(ScannedTags(page)), Join(LexborTags(page))) << page;
  }
}

TEST(TagScannerTest, AnyBytesEnd) {
  Random random(testing_support::TestSeed(212));
  for (int round = 0; round < 3000; ++round) {
    const std::string page =
        round % 2 == 0
            ? testing_support::RandomBytes(&random, random.Below(300))
            : testing_support::HostileSoup(&random, random.Below(100));
    size_t num_tags = 0;
    ScanTags(page, [&](const Tag& tag) {
      ++num_tags;
      EXPECT_GE(tag.name.data(), page.data());
      EXPECT_LE(tag.name.data() + tag.name.size(), page.data() + page.size());
    });
    EXPECT_LE(num_tags, page.size() / 3);
  }
}

// Texts between bars, titles in brackets.
class TextSink {
 public:
  void operator()(const Tag& /*tag*/) {}
  void Text(std::string_view text) { StrAppend(&out_, "|", text); }
  void Title(std::string_view text) { StrAppend(&out_, "[", text, "]"); }
  const std::string& out() const { return out_; }

 private:
  std::string out_;
};

TEST(TagScannerTest, Texts) {
  struct Case {
    const char* label;
    std::string_view html, texts;
  };
  const Case kCases[] = {
      {"empty", "", ""},
      {"no tags", "a & b", "|a & b"},
      {"between tags", "a<p>b</p> <br>c", "|a|b| |c"},
      {"less-than parts", "a < b <3", "|a | b |3"},
      {"at the end", "a<p>b<", "|a|b"},
      {"cut off tag", "a<p", "|a"},
      {"comments and doctypes", "<!DOCTYPE x>a<!-- b -->c<?d>", "|a|c"},
      {"scripts and styles", "<script>a</script>b<style>c</style>", "|b"},
      {"title", "<title>a<b></title>c", "[a<b>]|c"},
      {"empty title", "<title></title>", "[]"},
      {"title without end", "<title>a", "[a]"},
      {"title in svg", "<svg><title>a</title></svg>", "|a"},
  };
  for (const Case& c : kCases) {
    TextSink sink;
    ScanTags(c.html, sink);
    EXPECT_EQ(sink.out(), c.texts) << c.label;
  }
}

}  // namespace
}  // namespace trommel::html

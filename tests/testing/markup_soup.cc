#include "tests/testing/markup_soup.h"

#include <iterator>
#include <string_view>

#include "core/base/strings.h"

namespace trommel::testing_support {
namespace {

template <size_t kSize>
std::string_view Pick(Random* random, const std::string_view (&from)[kSize]) {
  return from[random->Below(kSize)];
}

constexpr std::string_view kTags[] = {"a",
                                      "b",
                                      "i",
                                      "p",
                                      "div",
                                      "span",
                                      "table",
                                      "tr",
                                      "td",
                                      "th",
                                      "tbody",
                                      "ul",
                                      "li",
                                      "h1",
                                      "br",
                                      "img",
                                      "form",
                                      "input",
                                      "DIV",
                                      "Td",
                                      "body",
                                      "html",
                                      "head",
                                      "button",
                                      "x-custom",
                                      "section",
                                      "font",
                                      "nobr",
                                      "dd",
                                      "dt",
                                      "caption",
                                      "colgroup",
                                      "col",
                                      "applet",
                                      "object",
                                      "pre",
                                      "listing",
                                      "link",
                                      "meta",
                                      "base",
                                      "image",
                                      "center",
                                      "averyveryverylongtagname",
                                      "h\xC3\xA9",
                                      "a:b",
                                      "ruby",
                                      "rt",
                                      "hr"};

constexpr std::string_view kRawTextTags[] = {"script",   "style",   "title",
                                             "textarea", "xmp",     "iframe",
                                             "noembed",  "noframes"};

constexpr std::string_view kDifficultTags[] = {
    "svg",    "math",   "frameset",       "frame",      "template",
    "select", "option", "optgroup",       "noscript",   "fieldset",
    "desc",   "title",  "foreignObject",  "mi",         "mglyph",
    "g",      "path",   "annotation-xml", "malignmark", "linearGradient"};

constexpr std::string_view kAttributes[] = {"",
                                            " class=x",
                                            " class=\"a b\"",
                                            " id='q'",
                                            " href=\"/a?b=1&amp;c=2\"",
                                            " title=\"1 > 0\"",
                                            " alt='<b>'",
                                            " checked",
                                            " a=b/",
                                            " a=\"",
                                            " ='",
                                            " =x",
                                            "/",
                                            " / x",
                                            " a = b",
                                            " a\n=\n'c'",
                                            " a=1 A=2",
                                            "\tdata-x=y",
                                            " q=\"'\"",
                                            " xlink:href=#a",
                                            " encoding=text/html",
                                            " v=&lt;&#65;&notanentity;",
                                            " \xC3\xA9=\xC3\xA9"};

constexpr std::string_view kTexts[] = {
    "text",     " ",      "\n  ",     "two words",   "1 < 2",      "a & b",
    "&amp;",    "&#x41;", "&nbsp;",   "&copy",       "\xC3\xA9",   "<3",
    "</>",      "</ x>",  "<>",       "<",           "</",         ">",
    "]]>",      "-->",    "<!>",      "<!x>",        "<?php x ?>", "<?",
    "<!-",      "&#0;",   "&#xD800;", "\"",          "'",          "=",
    "&#xFFFF;", "\r\n",   "\f",       "\xE2\x82\xAC"};

constexpr std::string_view kComments[] = {"<!-- c -->",
                                          "<!-->",
                                          "<!--->",
                                          "<!---->",
                                          "<!--a--!>",
                                          "<!-- <p> -- </p> -->",
                                          "<!--a--b-->",
                                          "<!-- - -->",
                                          "<!--<!---->",
                                          "<!DOCTYPE html>",
                                          "<!doctype x '>' y>",
                                          "<![CDATA[<p>]]>",
                                          "<!ELEMENT a>"};

constexpr std::string_view kRawContents[] = {"",
                                             "x",
                                             "if (a<b) c();",
                                             "<b>",
                                             "</b>",
                                             "<!--",
                                             "-->",
                                             "<!-- <script>",
                                             "</script ",
                                             "<script>",
                                             "</scriptx>",
                                             "</SCRIPT",
                                             "&lt;",
                                             "<!--->",
                                             "</",
                                             "<!-- <script> </script> -->",
                                             "'</p>'",
                                             "<!--x--",
                                             "--!>",
                                             "</title",
                                             "\n"};

std::string Attributes(Random* random) {
  std::string out;
  while (random->Chance(0.4)) out += Pick(random, kAttributes);
  return out;
}

// (The order of the random numbers is not left to the compiler: a seed stands
// for one soup.)
std::string StartTag(Random* random, std::string_view tag) {
  const std::string_view end = random->Chance(0.05)   ? "/>"
                               : random->Chance(0.02) ? ""
                                                      : ">";
  return StrCat("<", tag, Attributes(random), end);
}

std::string EndTag(Random* random, std::string_view tag) {
  return StrCat("</", tag, random->Chance(0.1) ? Attributes(random) : "", ">");
}

std::string RawTextElement(Random* random) {
  const std::string_view tag = Pick(random, kRawTextTags);
  std::string out = StartTag(random, tag);
  while (random->Chance(0.6)) out += Pick(random, kRawContents);
  if (random->Chance(0.9)) out += EndTag(random, tag);
  return out;
}

std::string Piece(Random* random, bool difficult) {
  if (difficult && random->Chance(0.3)) {
    const std::string_view tag = Pick(random, kDifficultTags);
    return random->Chance(0.6) ? StartTag(random, tag) : EndTag(random, tag);
  }
  switch (random->Below(10)) {
    case 0:
    case 1:
    case 2:
      return StartTag(random, Pick(random, kTags));
    case 3:
    case 4:
      return EndTag(random, Pick(random, kTags));
    case 5:
      return RawTextElement(random);
    case 6:
      return std::string(Pick(random, kComments));
    default:
      return std::string(Pick(random, kTexts));
  }
}

// Blocks of realistic pages; '%' stands for more content, '$' for a text.
constexpr std::string_view kBlocks[] = {
    "<div class=\"box\">%</div>",
    "<div id=\"main\"><div>%</div><div>%</div></div>",
    "<p>$ <b>$</b> $</p>",
    "<p>$<p>$",
    "<p class=price><b>$ <i>$</b> $</i></p>",
    "<ul><li>$<li><a href=\"/x\">$</a></ul>",
    "<ul>\n  <li>$</li>\n  <li>%</li>\n</ul>",
    "<dl><dt>$<dd>$</dl>",
    "<table><tr><td>$<td>%</table>",
    "<table border=0>\n<tbody>\n<tr><th>$</th><td>%</td></tr>\n</table>",
    "<table><tr><form action=/f><td>$</td></form></tr></table>",
    "<table>$<tr><td>$</td></tr></table>",
    "<table><tr><td><table><tr><td>%</td></tr></table></td></tr></table>",
    "<form><input type=text name=q><select><option>$<option selected>$"
    "</select><textarea>$</textarea></form>",
    "<h2>$</h2>",
    "<h2>$</h3>",
    "<a href=\"/a\"><img src=x.png alt=\"$\"></a>",
    "<a href=\"/a\"><div>$</div></a>",
    "<a href=\"/a\">$ <a href=\"/b\">$</a>",
    "<span class=\"label\">$</span>: <span>$</span><br>",
    "<font color=red>$<p>$</font>",
    "<script>if (a < b) { document.write('<p>'); }</script>",
    "<style>p { color: red }</style>",
    "<!-- $ -->",
    "<noscript><img src=/t.gif></noscript>",
    "<iframe src=/ad></iframe>",
    "</div>",
    "</p>",
    "</span>",
    "<center>%</center>",
    "<pre>\n$\n</pre>",
    "<br/><hr>",
    "<svg width=10><path d=\"M0 0\"/><title>$</title></svg>",
    "<button>$</button>",
    "<section><article><h3>$</h3>%</article></section>",
    "<blockquote>%</blockquote>",
    "<em><strong>$</em></strong>",
    "<map name=m><area href=x></map>",
    "<object><param name=a value=b><embed src=x></object>"};

void AppendBlocks(Random* random, size_t* budget, int depth, std::string* out) {
  do {
    if (*budget == 0) return;
    --*budget;
    for (const char c : Pick(random, kBlocks)) {
      if (c == '%') {
        if (depth < 12) AppendBlocks(random, budget, depth + 1, out);
      } else if (c == '$') {
        StrAppend(out, "word", random->Below(100), " &amp; more");
      } else {
        out->push_back(c);
      }
    }
    if (random->Chance(0.5)) *out += "\n";
  } while (random->Chance(0.6));
}

}  // namespace

std::string RandomBytes(Random* random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random->Below(256));
  return bytes;
}

std::string MarkupSoup(Random* random, size_t num_pieces) {
  std::string out;
  for (size_t i = 0; i < num_pieces; ++i) {
    out += Piece(random, /*difficult=*/false);
  }
  return out;
}

std::string HostileSoup(Random* random, size_t num_pieces) {
  std::string out;
  for (size_t i = 0; i < num_pieces; ++i) {
    out += Piece(random, /*difficult=*/true);
    // Ends the markup, so it is rare.
    if (random->Chance(0.001)) out += "<plaintext>";
    if (random->Chance(0.02)) out += RandomBytes(random, random->Below(4));
  }
  return out;
}

std::string RealisticPage(Random* random, size_t num_pieces) {
  std::string out = random->Chance(0.8) ? "<!DOCTYPE html>\n" : "";
  out += "<html><head><title>A page</title><meta charset=utf-8></head>\n<body>";
  size_t budget = num_pieces;
  while (budget > 0) AppendBlocks(random, &budget, 0, &out);
  if (random->Chance(0.8)) out += "</body></html>\n";
  return out;
}

}  // namespace trommel::testing_support

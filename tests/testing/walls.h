#ifndef TROMMEL_TESTS_TESTING_WALLS_H_
#define TROMMEL_TESTS_TESTING_WALLS_H_

// What sites answer in place of their pages: the same page for every URL, but
// for what names the request.
//
//   for (const Wall& wall : AllWalls()) Write(wall.page(i).url, ...);

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"

namespace trommel::testing_support {

// A word of five letters that looks like one.
inline std::string RandomWord(Random* random) {
  constexpr std::string_view kConsonants = "bcdfghklmnprstvz";
  constexpr std::string_view kVowels = "aeiou";
  std::string word;
  for (int i = 0; i < 5; ++i) {
    const std::string_view letters = i % 2 == 0 ? kConsonants : kVowels;
    word += letters[random->Below(letters.size())];
  }
  return word;
}

inline std::string RandomWords(Random* random, int count) {
  std::string words;
  for (int i = 0; i < count; ++i) {
    StrAppend(&words, i == 0 ? "" : " ", RandomWord(random));
  }
  return words;
}

inline std::string RandomLetters(Random* random, std::string_view letters,
                                 int count) {
  std::string id;
  for (; count > 0; --count) id += letters[random->Below(letters.size())];
  return id;
}

// The request for page `i` of a site, and what a wall says of it.
struct WallRequest {
  explicit WallRequest(int i)
      : random(static_cast<uint64_t>(i) + 1),
        slug(StrCat(RandomWord(&random), "-", RandomWord(&random))),
        url(StrCat("http://www.shop.example/items/", slug, "-", i, ".html")),
        title(RandomWords(&random, 4)),
        ip(StrCat(random.Below(256), ".", random.Below(256), ".",
                  random.Below(256), ".", random.Below(256))),
        time(StrCat("2026-11-18T20:", 10 + random.Below(50), ":",
                    10 + random.Below(50), ".", random.Below(1000), "Z")),
        ray_id(RandomLetters(&random, "0123456789abcdef", 16)),
        letters_id(RandomLetters(&random, "abcdefghijklmnopqrstuvwxyz", 20)) {}

  Random random;
  std::string slug, url, title, ip, time, ray_id, letters_id;
};

// Navigation of a whole site, some 150 words.
inline std::string SiteNavigation() {
  Random random(99);
  std::string html = "<nav id=top><ul>";
  for (int i = 0; i < 75; ++i) {
    StrAppend(&html, "<li class=n><a href=/c/", i, ">", RandomWords(&random, 2),
              "</a></li>");
  }
  return html + "</ul></nav>";
}

struct Wall {
  const char* label;
  // How the text that people see begins.
  const char* text;
  std::function<std::string(const WallRequest& request)> html;
};

inline std::vector<Wall> AllWalls() {
  using R = WallRequest;
  return {
      {"bot wall with address, time and number", "Please verify you are human",
       [](const R& r) {
         return StrCat(
             "<html><head><title>Just a moment...</title><style>p{}</style>"
             "</head><body><div class=box><h1>Please verify you are human</h1>"
             "<p>We have seen unusual requests from your network.</p><p>Your "
             "address: ",
             r.ip, "</p><p>Ray ID: ", r.ray_id, "</p><p>", r.time,
             "</p><script>var t='", r.letters_id,
             "'</script></div></body></html>");
       }},
      {"bot wall with an id of letters", "Access denied",
       [](const R& r) {
         return StrCat(
             "<html><body><h1>Access denied</h1><p>You do not have "
             "permission to see this. Reference: ",
             r.letters_id, "</p></body></html>");
       }},
      {"bot wall with the title of the page", "Checking your browser",
       [](const R& r) {
         return StrCat("<html><head><title>", r.title,
                       "</title></head><body><p>Checking your browser before "
                       "you can read <b>",
                       r.title, "</b></p><p>Please wait.</p></body></html>");
       }},
      {"consent page", "Before you continue",
       [](const R& r) {
         return StrCat("<html><body><form action='/consent?next=", r.url,
                       "'><h2>Before you continue</h2><p>We use cookies and "
                       "share data with 871 partners.</p><button>Accept all"
                       "</button><button>Reject</button><input type=hidden "
                       "value='",
                       r.letters_id, "'></form></body></html>");
       }},
      {"stub that sends on", "If you are not redirected",
       [](const R& r) {
         return StrCat("<html><head><meta http-equiv=refresh content='0;url=",
                       r.url, "?s=1'><script>location='", r.url,
                       "'</script></head><body>If you are not redirected, "
                       "<a href='",
                       r.url, "'>", r.url, "?s=1</a></body></html>");
       }},
      {"error within the navigation", nullptr,
       [](const R& r) {
         return StrCat("<html><body>", SiteNavigation(),
                       "<main><h1>404 not found</h1><p>There is nothing at /",
                       r.slug, "</p></main></body></html>");
       }},
      {"empty body", "", [](const R&) { return std::string("<html></html>"); }},
      {"maintenance", "We will be back soon",
       [](const R& r) {
         return StrCat(
             "<html><body><h1>We will be back soon</h1><p>The shop "
             "is being maintained since ",
             r.time, ".</p></body></html>");
       }},
      {"login", "Sign in",
       [](const R& r) {
         return StrCat("<html><body><form action='/login?returnUrl=", r.url,
                       "'><h1>Sign in</h1><label>Name</label><input name=u>"
                       "<label>Password</label><input name=p><button>Continue"
                       "</button></form><a href='/join?returnUrl=",
                       r.url, "'>Join</a></body></html>");
       }},
  };
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_WALLS_H_

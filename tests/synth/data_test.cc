// The files of synth/data: that they are well formed, agree with each other
// and are those of the binary, and that a mistake in one is an error.

#include "synth/data.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/util/message_differencer.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "absl/strings/str_replace.h"
#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "synth/roles.h"
#include "synth/vertical.h"
#include "synth/words.h"

namespace trommel::synth {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;

const std::filesystem::path kRoot = TROMMEL_SOURCE_DIR;
const std::filesystem::path kData = kRoot / "synth" / "data";

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string SchemaText(const std::string& vertical) {
  return ReadFile(kRoot / "schemas" / (vertical + ".textproto"));
}

std::string DataText(const std::string& name) {
  return ReadFile(kData / (name + ".textproto"));
}

TEST(DataFiles, MatchTheBinary) {
  size_t num_verticals = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kData)) {
    const std::string name = entry.path().stem();
    SCOPED_TRACE(name);
    if (name == "words") {
      const auto words = ParseWords(DataText(name));
      ASSERT_TRUE(words.ok()) << words.status();
      EXPECT_TRUE(MessageDifferencer::Equals(*words, Words()));
    } else if (name == "blocks") {
      const auto blocks = ParseBlocks(DataText(name));
      ASSERT_TRUE(blocks.ok()) << blocks.status();
      EXPECT_TRUE(MessageDifferencer::Equals(*blocks, Blocks()));
    } else {
      ++num_verticals;
      const auto vertical = ParseVertical(SchemaText(name), DataText(name));
      ASSERT_TRUE(vertical.ok()) << vertical.status();
      const Vertical* const built_in = FindVertical(name);
      ASSERT_NE(built_in, nullptr);
      EXPECT_EQ(vertical->topic, built_in->topic);
      EXPECT_TRUE(
          MessageDifferencer::Equals(vertical->schema, built_in->schema));
    }
  }
  EXPECT_EQ(num_verticals, Verticals().size());
}

// Calls `visit` with the name of each list of words in a message, and the list.
void VisitLists(
    const Message& message,
    const std::function<void(const std::string&, const WordList&)>& visit) {
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* const field = message.GetDescriptor()->field(i);
    if (!field->is_repeated()) continue;
    WordList words;
    for (int k = 0; k < reflection.FieldSize(message, field); ++k) {
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
        *words.Add() = reflection.GetRepeatedString(message, field, k);
      } else {
        VisitLists(reflection.GetRepeatedMessage(message, field, k), visit);
      }
    }
    visit(field->full_name(), words);
  }
}

void VisitAllLists(
    const std::function<void(const std::string&, const WordList&)>& visit) {
  VisitLists(Words(), visit);
  VisitLists(Blocks(), visit);
  for (const Vertical& vertical : Verticals()) {
    visit(vertical.name + " categories", vertical.categories);
    visit(vertical.name + " decoys", vertical.decoys);
    for (const AttributeInfo& attribute : vertical.attributes) {
      visit(vertical.name + " " + attribute.name, attribute.labels);
    }
  }
}

TEST(WordLists, HaveDistinctEntries) {
  VisitAllLists([](const std::string& name, const WordList& words) {
    const std::set<std::string> distinct(words.begin(), words.end());
    EXPECT_EQ(distinct.size(), static_cast<size_t>(words.size())) << name;
  });
}

TEST(WordLists, HaveNoSpaceButBetweenWords) {
  VisitAllLists([](const std::string& name, const WordList& words) {
    for (const std::string& word : words) {
      EXPECT_EQ(word, NormalizeSpace(word)) << name;
    }
  });
}

// Sites in windows-1252 print the same words as the others. These characters
// are all that it has outside ASCII and Latin-1 and that words use.
TEST(WordLists, CanBePrintedInWindows1252) {
  VisitAllLists([](const std::string& name, const WordList& words) {
    for (const std::string& word : words) {
      EXPECT_EQ(ValidUtf8Prefix(word), word.size()) << name << ": " << word;
      const std::string rest = absl::StrReplaceAll(
          word, {{"€", ""}, {"–", ""}, {"’", ""}, {"“", ""}, {"”", ""}});
      // U+00A0 to U+00FF start with C2 or C3 in UTF-8.
      for (const char c : rest) {
        const auto byte = static_cast<unsigned char>(c);
        EXPECT_TRUE(byte >= 0x20 && byte < 0xC4) << name << ": " << word;
      }
    }
  });
}

TEST(Words, HavePatternsWithKnownSlots) {
  for (const WordList* const patterns :
       {&Words().sentence(), &Words().title()}) {
    for (const std::string& pattern : *patterns) {
      for (size_t at = pattern.find('%'); at != std::string::npos;
           at = pattern.find('%', at + 1)) {
        ASSERT_LT(at + 1, pattern.size()) << pattern;
        const char slot = AsciiLower(pattern[at + 1]);
        EXPECT_NE(std::string_view("anvdflmtyi").find(slot),
                  std::string_view::npos)
            << pattern;
      }
    }
  }
}

TEST(Blocks, HaveATitleWhereAFormAsks) {
  for (const Role role :
       {Role::kNewsletter, Role::kLogin, Role::kCommentForm}) {
    EXPECT_FALSE(RoleTitle(role).empty());
    EXPECT_FALSE(RolePrompt(role).empty());
  }
}

// A file with one mistake: `text` is replaced by `mistake`, everywhere.
struct Mistake {
  std::string_view label;
  std::string_view text;
  std::string_view mistake;
  std::string_view error;
};

std::string WithMistake(const std::string& file, const Mistake& mistake) {
  const std::string wrong = absl::StrReplaceAll(
      file, {{std::string(mistake.text), std::string(mistake.mistake)}});
  EXPECT_NE(wrong, file) << mistake.label;
  return wrong;
}

TEST(ParseWords, FindsMistakes) {
  const Mistake mistakes[] = {
      {"a list that does not exist", "adverb:", "advreb:", "not a textproto"},
      {"no quotes", "\"quiet\"", "quiet", "not a textproto"},
      {"a list that is missing", "tab:", "network:", "SynthWords.tab: no"},
      {"an empty word", "\"quiet\"", "\"\"", "SynthWords.adjective[0]: empty"},
      {"eleven months", "\"May\", ", "", "month"},
      {"a link too many", "\"Returns\"", "\"Returns\", \"More\"",
       "service_link"},
  };
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.label);
    const auto words = ParseWords(WithMistake(DataText("words"), mistake));
    EXPECT_THAT(words.status().ToString(),
                HasSubstr(std::string(mistake.error)));
  }
}

TEST(ParseBlocks, FindsMistakes) {
  const Mistake mistakes[] = {
      {"an unknown role", "\"ticker\" class", "\"tacker\" class",
       "\"tacker\" in the place of \"ticker\""},
      {"an unknown letter", "letter: \"n\"", "letter: \"z\"",
       "\"z\" in the place of \"n\""},
      {"a name twice", "role { name: \"page\"",
       "role { name: \"page\" name: \"page\"", "not a textproto"},
      {"a role too many", "# The parts of a block",
       "role { name: \"new\" class_word: \"new\" }\n#", "role: not as many"},
  };
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.label);
    const auto blocks = ParseBlocks(WithMistake(DataText("blocks"), mistake));
    EXPECT_THAT(blocks.status().ToString(),
                HasSubstr(std::string(mistake.error)));
  }
}

TEST(ParseVertical, FindsMistakes) {
  const Mistake mistakes[] = {
      {"no topic", "topic: \"movie\"", "", "movie: no topic"},
      {"another attribute", "\"genre\"", "\"kind\"",
       "movie: genre: \"kind\" in its place"},
      {"no placement", "  placement: FACTS\n", "", "no placement"},
      {"a second headline", "FACTS", "HEADLINE", "headline is the first"},
      {"no facts", "FACTS", "BYLINE", "movie: no facts"},
      {"one label", "[\"Genre\", \"Category\", \"Genre(s)\", \"Filed under\"]",
       "\"Genre\"", "movie: genre: no other label"},
      {"few categories",
       "\"Now Playing\", \"Coming Soon\", \"Box Office\", "
       "\"Trailers\", \"DVD & Blu-ray\", \"Showtimes\",",
       "", "fewer categories"},
      {"an attribute too many", "category:",
       "attribute { name: \"cast\" placement: FACTS label: [\"a\", \"b\"] }\n"
       "category:",
       "not the attributes of the schema"},
  };
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.label);
    const auto vertical = ParseVertical(
        SchemaText("movie"), WithMistake(DataText("movie"), mistake));
    EXPECT_THAT(vertical.status().ToString(),
                HasSubstr(std::string(mistake.error)));
  }
}

}  // namespace
}  // namespace trommel::synth

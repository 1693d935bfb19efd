#ifndef TROMMEL_CORE_BASE_CHARACTERS_H_
#define TROMMEL_CORE_BASE_CHARACTERS_H_

// Text by its characters: which of them show nothing, and on which of them a
// terminal acts.

#include <string>
#include <string_view>

namespace trommel {

// Takes one character off the front of text that is not empty and valid UTF-8.
char32_t TakeCharacter(std::string_view* text);

// True when the text is no value of an attribute, for a reader sees nothing of
// it: it is empty, or all white space as Unicode has it, no-break spaces and
// characters without width (zero width space, byte order mark) included.
bool IsBlankValue(std::string_view text);

// True when a terminal may act on the character instead of showing it:
// controls, line ends, and what turns the direction of the text around it.
bool IsTerminalControl(char32_t c);

// Appends the text with such characters, but for those in `kept`, written as
// escapes: \n or \u001b, as in JSON. What is not UTF-8 becomes U+FFFD.
void AppendEscapingControls(std::string_view text, std::string_view kept,
                            std::string* out);

// Printable() of text.h for text of lines: line feeds and tabs stay. JSON is
// the same JSON afterwards, for what is escaped stands in its strings.
std::string PrintableLines(std::string_view text);

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_CHARACTERS_H_

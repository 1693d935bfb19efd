"""As much C++ as checks of the tree need: tokens, and the types of a file."""

import re

# Alternatives in the order in which they are tried. A quote between digits
# (1'000) belongs to the number.
TOKEN = re.compile(
    r"""(?P<left_out>\s+ | //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:\\\n|[^\n])*)
      | R"(?P<delimiter>[^()\\\s"]*)\(.*?\)(?P=delimiter)"
      | "(?:\\.|[^"\\\n])*"
      | '(?:\\.|[^'\\\n])+'
      | \w+(?:'\w+)*
      | ::
      | .""", re.DOTALL | re.MULTILINE | re.VERBOSE)


def tokens(text):
    """Yields (token, line) without white space, comments and directives."""
    line = 1
    for match in TOKEN.finditer(text):
        if match.group("left_out") is None:
            yield match.group(), line
        line += match.group().count("\n")


def without_template(words):
    """A declaration's words behind its `template <...>`, if it has one."""
    if words[:1] != ["template"]:
        return words
    depth = 0
    for i, word in enumerate(words):
        depth += (word == "<") - (word == ">")
        if word == ">" and depth == 0:
            return words[i + 1:]
    return []


def type_before_brace(words):
    """The type that a declaration with these words before its `{` defines.

    None for all else, also for specialisations, which belong to their template.
    """
    words = without_template(words)
    if words[:1] not in (["class"], ["struct"], ["union"], ["enum"]):
        return None
    is_scoped = words[0] == "enum" and words[1:2] in (["class"], ["struct"])
    words = words[2:] if is_scoped else words[1:]
    if words and (len(words) == 1 or words[1] in (":", "final")):
        return words[0]
    return None


def alias(words):
    """The type that a declaration with these words before its `;` names."""
    words = without_template(words)
    is_alias = words[:1] == ["using"] and words[2:3] == ["="]
    return words[1] if is_alias else None


def linked_types(text):
    """Yields (name, line) of the types that those of other files can meet.

    These are the classes, structs, unions, enums and aliases that stand in
    named namespaces or in none. What is inside an anonymous namespace, a class
    or a function is left out, and so are declarations without a definition.
    """
    scopes = []  # for each open brace, whether it is a named namespace's
    words = []  # of the declaration that is being read
    for token, line in tokens(text):
        if token not in ("{", "}", ";"):
            if not words:
                first_line = line
            words.append(token)
            continue
        if token != "}" and all(scopes):
            name = type_before_brace(words) if token == "{" else alias(words)
            if name:
                yield name, first_line
        if token == "{":
            scopes.append("namespace" in words[:2] and words[-1] != "namespace")
        elif token == "}" and scopes:
            scopes.pop()
        words = []

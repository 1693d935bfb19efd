#!/usr/bin/env python3
"""Checks of the source tree itself. Each prints what is wrong and exits 1.

  check_tree.py layering ROOT      includes follow the dependency directions
  check_tree.py registered ROOT    every test, fuzz and bench source is built
  check_tree.py format ROOT        clang-format would change nothing
  check_tree.py files ROOT         README maps name every folder, and no other
  check_tree.py types ROOT         no two types have one name
  check_tree.py names ROOT         no name is a mere preposition or pronoun
  check_tree.py alternatives ROOT  few folders know a rule's alternatives
  check_tree.py namespaces ROOT    every folder's sources are in its namespace
"""

import pathlib
import re
import subprocess
import sys

import cpp

SOURCE_DIRS = ("core", "synth", "mapreduce", "jobs", "tests")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
# Folders of jobs/ that serve the others; a job includes these and itself.
SHARED_JOB_FOLDERS = {"annotate_page", "cli", "engine", "learner", "output",
                      "page", "report", "rule_runner", "rule_store",
                      "summaries", "tables", "textproto",
                      "value_summaries"}
PRINTING = re.compile(r"std::c(out|err|in|log)\b|\bv?f?printf\s*\(|"
                      r"\bf?puts\s*\(|\bgetenv\s*\(")
# What the binary is linked from.
LINKED_DIRS = tuple(name for name in SOURCE_DIRS if name != "tests")
# These names say how a thing relates to another, and not what it is.
UNTELLING_NAME = re.compile(r"of_\w*|Those|kThere")
# The folders that know what a rule's alternatives are: the home of the programs
# made of them, and those that learn them.
ALTERNATIVES_DIRS = ("core/rule/fields/", "core/learn/")
NAMESPACE = re.compile(r"^namespace (trommel[\w:]*) \{", re.MULTILINE)
ALTERNATIVES_USE = re.compile(r"(add_|clear_|mutable_)?alternative(_size)?")


def sources(root, directory=None):
    """The .h and .cc files below root, in order."""
    directories = [directory] if directory else SOURCE_DIRS
    for name in directories:
        for path in sorted((root / name).rglob("*")):
            if path.suffix in (".h", ".cc") and path.is_file():
                yield path


def topic(path):
    """The folder that owns a path: core/html, mapreduce/io, jobs/dom."""
    parts = pathlib.PurePosixPath(path).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def folder(path):
    """The folder that a path is in: jobs/run/stages."""
    return pathlib.PurePosixPath(path).parent.as_posix()


def may_include(source, included):
    """Why `source` must not include `included`, or None."""
    area = source.split("/")[0]
    target = included.split("/")[0]
    if target == "tests" and area != "tests":
        return "only tests include tests"
    if area in ("core", "synth"):
        if target in ("mapreduce", "jobs"):
            return f"{area} includes neither mapreduce nor jobs"
        if target in ("arrow", "parquet"):
            return f"{area} does not know Arrow"
        if topic(source) == "core/base" and target == "core" and topic(
                included) != "core/base":
            return "core/base includes no topic"
    if target == "synth" and area not in ("synth", "tests") and topic(
            source) != "jobs/generate":
        return "only jobs/generate and tests use synth"
    if area == "mapreduce":
        if target == "jobs":
            return "mapreduce does not know jobs"
        if target == "proto":
            return "mapreduce knows no messages"
        if target == "core" and topic(included) != "core/base":
            return "of core, mapreduce uses core/base only"
    if area == "jobs" and target == "jobs":
        own = topic(source)
        other = topic(included)
        if own != "jobs" and other != own and other.split(
                "/")[1:] and other.split("/")[1] not in SHARED_JOB_FOLDERS:
            return "jobs do not include each other"
    return None


def find_cycle(edges):
    """A cycle in a graph given as {node: set of nodes}, or None."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for following in sorted(edges.get(node, ())):
            if state.get(following) == "open":
                return trail + [node, following]
            if following not in state:
                cycle = visit(following, trail + [node])
                if cycle:
                    return cycle
        state[node] = "done"
        return None

    for node in sorted(edges):
        if node not in state:
            cycle = visit(node, [])
            if cycle:
                return cycle
    return None


def check_layering(root):
    problems = []
    edges = {"core": {}, "jobs": {}}  # between the topics, the folders
    for path in sources(root):
        source = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        for included in INCLUDE.findall(text):
            reason = may_include(source, included)
            if reason:
                problems.append(f"{source} includes {included}: {reason}")
            for area, owner in (("core", topic), ("jobs", folder)):
                if (source.startswith(area + "/")
                        and included.startswith(area + "/")
                        and owner(source) != owner(included)):
                    edges[area].setdefault(owner(source), set()).add(
                        owner(included))
        area = source.split("/")[0]
        if area in ("core", "synth"):
            code = re.sub(r"//.*", "", text)
            if PRINTING.search(code):
                problems.append(
                    f"{source}: {area} prints nothing and reads no environment")
    for area, graph in edges.items():
        cycle = find_cycle(graph)
        if cycle:
            problems.append(f"cycle in {area}: " + " -> ".join(cycle))
    return problems


def check_registered(root):
    problems = []
    for path in sorted((root / "tests").rglob("*")):
        if not re.search(r"_(test|fuzz|bench)\.(cc|py|sh)$", path.name):
            continue
        listing = path.parent / "CMakeLists.txt"
        if not listing.is_file() or not re.search(
                r"(^|[\s/\"(])" + re.escape(path.name) + r"([\s\")]|$)",
                re.sub(r"#.*", "", listing.read_text(encoding="utf-8"))):
            problems.append(
                f"{path.relative_to(root).as_posix()} is not registered in "
                f"{listing.relative_to(root).as_posix()}")
    return problems


def check_format(root):
    files = [str(path) for path in sources(root)]
    result = subprocess.run(
        ["clang-format-14", "--dry-run", "--Werror", "--style=file", *files],
        cwd=root, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return []
    wrong = sorted(set(re.findall(r"^(.+?):\d+:\d+: error", result.stderr,
                                  re.MULTILINE)))
    if not wrong:
        return [f"clang-format-14 failed: {result.stderr.strip()}"]
    return [f"{name} is not formatted (clang-format-14 -i)" for name in wrong]


def check_files(root):
    """core/README.md and jobs/README.md name exactly the folders there are."""
    problems = []
    for area in ("core", "mapreduce", "jobs"):
        readme = root / area / "README.md"
        if not readme.is_file():
            problems.append(f"{area}/README.md is missing")
            continue
        named = set(re.findall(r"^\| `(\S+?)/` \|",
                               readme.read_text(encoding="utf-8"),
                               re.MULTILINE))
        folders = set()
        for path in sources(root, area):
            relative = path.parent.relative_to(root / area).as_posix()
            if relative != ".":
                folders.add(relative)
        for folder in sorted(folders - named):
            problems.append(f"{area}/README.md does not name {folder}/")
        for folder in sorted(named - folders):
            problems.append(f"{area}/README.md names {folder}/, which is gone")
    return problems


def check_types(root):
    """No two types have one name, whatever their namespaces.

    Two definitions of one name in one namespace are undefined behaviour when
    one binary links both, and no tool says so; in two namespaces they make the
    reader ask which is meant.
    """
    problems = []
    first = {}
    for area in LINKED_DIRS:
        for path in sources(root, area):
            for name, line in cpp.linked_types(
                    path.read_text(encoding="utf-8")):
                place = f"{path.relative_to(root).as_posix()}:{line}"
                if name in first:
                    problems.append(
                        f"{place}: {name} is also at {first[name]}")
                first.setdefault(name, place)
    return problems


def check_names(root):
    problems = []
    for path in sources(root):
        for token, line in cpp.tokens(path.read_text(encoding="utf-8")):
            if UNTELLING_NAME.fullmatch(token):
                problems.append(f"{path.relative_to(root).as_posix()}:{line}: "
                                f"{token} does not say what it is")
    return problems


def check_alternatives(root):
    problems = []
    for area in LINKED_DIRS:
        for path in sources(root, area):
            source = path.relative_to(root).as_posix()
            if source.startswith(ALTERNATIVES_DIRS):
                continue
            tokens = list(cpp.tokens(path.read_text(encoding="utf-8")))
            for (token, line), (following, _) in zip(tokens, tokens[1:]):
                if ALTERNATIVES_USE.fullmatch(token) and following == "(":
                    problems.append(
                        f"{source}:{line}: {token}() is for "
                        f"{' and '.join(ALTERNATIVES_DIRS)} only")
    return problems


def namespace(root, source):
    """The namespace of a source's folder: core/rule/fields is rule::fields.

    What is in core/base is what all others speak with, and has no room of its
    own. A verb that is called like a topic of core, or by a keyword, is a job.
    MapReduce is one library in several folders, and is not asked.
    """
    area, *rooms = folder(source).split("/")
    if area == "core":
        return "::".join(["trommel"] + [room for room in rooms
                                        if room != "base"])
    if area == "jobs" and rooms and (
            rooms[0] == "export" or (root / "core" / rooms[0]).is_dir()):
        rooms[0] += "_job"
    return "::".join(["trommel", area] + rooms)


def check_namespaces(root):
    problems = []
    for area in ("core", "synth", "jobs"):
        for path in sources(root, area):
            source = path.relative_to(root).as_posix()
            expected = namespace(root, source)
            for found in NAMESPACE.findall(path.read_text(encoding="utf-8")):
                if found != expected and not found.startswith(expected + "::"):
                    problems.append(f"{source}: {found} is not this folder's "
                                    f"namespace, {expected}")
    return problems


CHECKS = {
    "layering": check_layering,
    "registered": check_registered,
    "format": check_format,
    "files": check_files,
    "types": check_types,
    "names": check_names,
    "alternatives": check_alternatives,
    "namespaces": check_namespaces,
}


def main(arguments):
    if len(arguments) != 3 or arguments[1] not in CHECKS:
        print(__doc__, file=sys.stderr)
        return 2
    problems = CHECKS[arguments[1]](pathlib.Path(arguments[2]).resolve())
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

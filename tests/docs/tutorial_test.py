#!/usr/bin/python3
"""tutorial_test.py TROMMEL [--rewrite]: docs/tutorial.md, followed word for word
in an empty folder, prints what it says, and the tables that it makes have the
columns that docs/formats.md lists. --rewrite puts what was printed into the
tutorial instead."""
import os
import pathlib
import re
import sys
import tempfile

import console

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/tutorial.md"
FORMATS = ROOT / "docs/formats.md"
sys.path.insert(0, str(ROOT / "deploy"))
import crawl_to_jsonl  # pylint: disable=wrong-import-position

# Where the tutorial puts the output of a verb.
OUTPUTS = {"ingest": "crawls/day=2026-01-01", "cluster": "clusters",
           "sample": "samples", "reuse": "rules-2", "extract": "records",
           "monitor": "monitored", "coverage": "coverage"}


def listed_tables():
    """Of docs/formats.md: (verb, table, columns, whether more may follow)."""
    verb = None
    for line in FORMATS.read_text(encoding="utf-8").splitlines():
        heading = re.match(r"## .*\(`(\w+)`\)$", line)
        if heading:
            verb = heading[1]
        row = re.match(r"\| `(\S+)/` \|.*\| `([\w, ]+)`(.*)\|$", line)
        if row:
            yield verb, row[1], row[2].split(", "), bool(row[3].strip())


def wrong_formats(folder):
    """A line for each table that is not as listed."""
    parquet = crawl_to_jsonl.load_pyarrow()
    seen = set()
    for verb, table, columns, more in listed_tables():
        parts = sorted((folder / OUTPUTS[verb] / table).glob("*.parquet"))
        if not parts:
            continue
        seen.add((verb, table))
        found = parquet.read_schema(parts[0]).names
        if (found[:len(columns)] if more else found) != columns:
            yield f"{FORMATS}: {verb} writes {table}/ with {', '.join(found)}"
    for verb, output in OUTPUTS.items():
        for part in sorted((folder / output).rglob("part-*.parquet")):
            table = part.parent.relative_to(folder / output).as_posix()
            if (verb, table) not in seen and (verb, table) != (
                    "sample", "clusters"):
                yield f"{FORMATS} does not list {table}/ of {verb}"


def main(arguments):
    trommel = pathlib.Path(arguments[1]).resolve()
    markdown = TUTORIAL.read_text(encoding="utf-8")
    commands = console.parse(markdown)
    environment = dict(os.environ, CHECKOUT=str(ROOT), LC_ALL="C.UTF-8",
                       PATH=f"{trommel.parent}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as folder:
        console.run(commands, folder, environment)
        wrong = list(wrong_formats(pathlib.Path(folder)))
    if arguments[2:] == ["--rewrite"]:
        TUTORIAL.write_text(console.rewritten(markdown, commands),
                            encoding="utf-8")
    failures = 0
    for command in commands:
        if command.exit_code == 0 and command.is_as_shown():
            continue
        failures += 1
        print(f"{TUTORIAL}:{command.line}: $ {command.text}\n"
              f"exit code {command.exit_code}; printed\n{command.printed}"
              "instead of\n" + "".join(f"{line}\n" for line in command.shown))
    print("".join(f"{line}\n" for line in wrong) +
          f"{len(commands)} commands, {failures} not as shown; "
          f"{len(wrong)} tables not as listed")
    return 1 if failures or wrong or len(commands) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

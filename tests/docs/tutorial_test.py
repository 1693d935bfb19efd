#!/usr/bin/python3
"""tutorial_test.py TROMMEL [--rewrite]: docs/tutorial.md, followed word for word
in an empty folder, prints what it says, so does the example of README.md, and the
tables that are made have the columns that docs/formats.md lists. --rewrite puts
what was printed into the pages instead."""
import os
import pathlib
import re
import sys
import tempfile

import console

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/tutorial.md"
README = ROOT / "README.md"
FORMATS = ROOT / "docs/formats.md"
sys.path.insert(0, str(ROOT / "deploy"))
import crawl_to_jsonl  # pylint: disable=wrong-import-position

# Where the tutorial puts the output of a verb.
OUTPUTS = {"ingest": "crawls/day=2026-01-01", "cluster": "clusters",
           "sample": "samples", "reuse": "rules-2", "extract": "extracted",
           "monitor": "monitored", "coverage": "coverage",
           "compare": "nightly/deliveries/day=2026-01-02"}


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


def follow(page, folder, environment, rewrite):
    """Runs what the page says in the folder; how many commands there are, and
    those that did something else."""
    markdown = page.read_text(encoding="utf-8")
    commands = console.parse(markdown)
    console.run(commands, folder, environment)
    if rewrite:
        page.write_text(console.rewritten(markdown, commands),
                        encoding="utf-8")
    failed = [command for command in commands
              if command.exit_code != 0 or not command.is_as_shown()]
    for command in failed:
        print(f"{page}:{command.line}: $ {command.text}\n"
              f"exit code {command.exit_code}; printed\n{command.printed}"
              "instead of\n" + "".join(f"{line}\n" for line in command.shown))
    return len(commands), failed


def follow_readme(tutorial_folder, folder, environment, rewrite):
    """README shows the beginning of the tutorial, with annotations made."""
    for name in ("2026-01-01.warc.gz", "movie.textproto", "annotations.jsonl"):
        (folder / name).symlink_to(tutorial_folder / name)
    (folder / "deploy").symlink_to(ROOT / "deploy")
    return follow(README, folder, environment, rewrite)


def main(arguments):
    trommel = pathlib.Path(arguments[1]).resolve()
    rewrite = arguments[2:] == ["--rewrite"]
    environment = dict(os.environ, CHECKOUT=str(ROOT), LC_ALL="C.UTF-8",
                       PATH=f"{trommel.parent}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as first, (
            tempfile.TemporaryDirectory()) as second:
        folder = pathlib.Path(first)
        count, failed = follow(TUTORIAL, folder, environment, rewrite)
        readme_count, readme_failed = follow_readme(
            folder, pathlib.Path(second), environment, rewrite)
        wrong = list(wrong_formats(folder))
    failed += readme_failed
    print("".join(f"{line}\n" for line in wrong) +
          f"{count} commands and {readme_count} of README, {len(failed)} not as "
          f"shown; {len(wrong)} tables not as listed")
    return 1 if failed or wrong or count < 20 or readme_count < 5 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

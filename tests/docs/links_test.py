#!/usr/bin/python3
"""links_test.py ROOT: every link of a Markdown file to another file or to a
heading leads somewhere, and every program of deploy/ that is named is there."""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
DEPLOY = re.compile(r"`(?:\$CHECKOUT/)?(deploy/[A-Za-z0-9_./-]+)")
CODE_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def pages(root):
    for pattern in ("*.md", "docs/*.md", "deploy/**/*.md", "core/*.md",
                    "mapreduce/*.md", "jobs/*.md"):
        yield from sorted(root.glob(pattern))


def anchors(path):
    """As GitHub makes them of headings."""
    text = CODE_BLOCK.sub("", path.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in HEADING.findall(text)}


def problems_of(page, root):
    text = CODE_BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = page.parent / name if name else page
        if not path.exists():
            yield f"no file {target}"
        elif anchor and anchor not in anchors(path):
            yield f"no heading {target}"
    for name in DEPLOY.findall(text):
        if not (root / name.rstrip(".")).exists():
            yield f"no program {name}"


def main(arguments):
    root = pathlib.Path(arguments[1])
    found = list(pages(root))
    problems = [f"{page.relative_to(root)}: {problem}" for page in found
                for problem in problems_of(page, root)]
    print("\n".join(problems) or f"{len(found)} pages, all links lead somewhere")
    return 1 if problems or len(found) < 8 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

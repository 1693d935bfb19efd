#!/usr/bin/python3
"""An editor who knows the truth, for tests.

  annotate.py schema SCHEMA                 the schema with the attributes that
                                            SWDE has several values of repeated
  annotate.py plain SCHEMA TRUTH            the same without types and the rest,
                                            with the attributes that the truth
                                            has
  annotate.py next SAMPLES ANNOTATIONS [STATUS]
                                            the URL to annotate next, or nothing:
                                            without a status.jsonl the first page
                                            of the largest cluster, with one a
                                            page that `learn` asks for
  annotate.py write TRUTH SCHEMA URL...     the lines of annotation of pages
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "testing"))
from table_rows import rows  # pylint: disable=wrong-import-position

# Attributes that have several values on a page, by the data's own description.
REPEATED = {"author", "director", "genre", "cuisine", "address"}
ATTRIBUTE = re.compile(r'attribute\s*\{\s*name:\s*"([^"]+)"([^}]*)\}')


def lines_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def schema_text(path):
    def repeat(match):
        name, rest = match.groups()
        if name in REPEATED and "repeated:" not in rest:
            return match.group(0).replace(
                f'name: "{name}"', f'name: "{name}"\n  repeated: true')
        return match.group(0)

    text = pathlib.Path(path).read_text(encoding="utf-8")
    return ATTRIBUTE.sub(repeat, text)


def plain_schema_text(path, truth):
    known = {name for line in lines_of(truth) for name in line["values"]}
    name = re.search(r'^name: "([^"]+)"',
                     pathlib.Path(path).read_text(encoding="utf-8"),
                     re.MULTILINE).group(1)
    text = f'name: "{name}"\n'
    for attribute in attributes_of(path):
        if attribute in known:
            text += f'attribute {{\n  name: "{attribute}"\n'
            text += "  repeated: true\n" if attribute in REPEATED else ""
            text += "}\n"
    return text


def attributes_of(path):
    """Name to whether it is repeated."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    return {name: bool(re.search(r"repeated:\s*true", rest))
            for name, rest in ATTRIBUTE.findall(text)}


def next_url(samples, annotations, status):
    sizes = {row["cluster_id"]: row["size"] for row in rows(
        f"{samples}/clusters", ["cluster_id", "size"])}
    if status is None:
        firsts = [row for row in rows(f"{samples}/samples",
                                      ["cluster_id", "rank", "url"])
                  if row["rank"] == 0]
        firsts.sort(key=lambda row: (-sizes[row["cluster_id"]],
                                     row["cluster_id"]))
        return firsts[0]["url"] if firsts else None
    annotated = {line["url"] for line in lines_of(annotations)}
    asking = [line for line in lines_of(status)
              if line["status"] == "needs_annotation"
              and line["next_url"] not in annotated]
    # Every cluster in turn, the largest first.
    asking.sort(key=lambda line: (line.get("annotated_pages") or 0,
                                  -sizes[line["cluster_id"]],
                                  line["cluster_id"]))
    return asking[0]["next_url"] if asking else None


def annotations_of(truth, schema, urls):
    values = {line["url"]: line["values"] for line in lines_of(truth)}
    for url in urls:
        if url not in values:
            sys.exit(f"{truth} does not know {url}")
        for name, is_repeated in attributes_of(schema).items():
            if name not in values[url]:
                continue  # the truth does not say, so neither does the editor
            found = values[url][name]
            if not found:
                yield {"url": url, "attribute": name, "absent": True}
            for value in found if is_repeated else found[:1]:
                yield {"url": url, "attribute": name, "value": value}


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "schema":
        print(schema_text(arguments[0]), end="")
    elif command == "plain":
        print(plain_schema_text(*arguments), end="")
    elif command == "next":
        status = arguments[2] if len(arguments) > 2 else None
        url = next_url(arguments[0], arguments[1], status)
        if url:
            print(url)
    elif command == "write":
        for line in annotations_of(arguments[0], arguments[1], arguments[2:]):
            print(json.dumps(line, ensure_ascii=False))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()

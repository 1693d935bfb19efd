#!/usr/bin/python3
"""annotate_from_truth.py TRUTH SCHEMA STATUS: what an editor would answer who
knows the truth of a generated web, as annotations: for each page that STATUS
(status.jsonl of `trommel learn`) asks for, the values of the schema's
attributes, or that its cluster is not wanted where the page is no detail page.
"""
import json
import re
import sys


def lines_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def details_of(truth):
    """The values of the pages of one record, by URL."""
    return {line["url"]: line["values"] for line in lines_of(truth)
            if line["values"] and "record" not in line}


def main():
    truth, schema, status = sys.argv[1:4]
    with open(schema, encoding="utf-8") as text:
        attributes = re.findall(r'attribute\s*\{\s*name:\s*"([^"]+)"', text.read())
    details = details_of(truth)
    for line in lines_of(status):
        if line["status"] != "needs_annotation":
            continue
        url = line["next_url"]
        if url not in details:
            print(json.dumps({"url": url, "skip": True}))
            continue
        for name in attributes:
            values = details[url].get(name, [])
            if not values:
                print(json.dumps({"url": url, "attribute": name, "absent": True}))
            for value in values:
                print(json.dumps({"url": url, "attribute": name, "value": value},
                                 ensure_ascii=False))


if __name__ == "__main__":
    main()

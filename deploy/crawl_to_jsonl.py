#!/usr/bin/env python3
"""crawl_to_jsonl.py CRAWL COUNT OUT: the first COUNT pages of a crawl, as JSON
lines (OUT ends in .jsonl or .jsonl.gz) or, when OUT ends in .html, the first
page alone."""

import base64
import glob
import gzip
import json
import os
import pathlib
import sys


def load_pyarrow():
    """pyarrow of the machine, or the one that deploy/setup unpacked."""
    try:
        import pyarrow.parquet  # pylint: disable=import-outside-toplevel
    except ImportError:
        cache = os.environ.get("TROMMEL_CACHE") or os.path.expanduser(
            "~/.cache/trommel")
        sys.path.extend(sorted(glob.glob(f"{cache}/arrow-*")))
        import pyarrow.parquet  # pylint: disable=import-outside-toplevel
    return pyarrow.parquet


def pages(crawl, count):
    parquet = load_pyarrow()
    for part in sorted(pathlib.Path(crawl).glob("*.parquet")):
        for batch in parquet.ParquetFile(part).iter_batches(batch_size=16):
            for row in batch.to_pylist():
                if count == 0:
                    return
                count -= 1
                yield row


def to_line(row):
    line = {"url": row["url"],
            "content_base64": base64.b64encode(row["content"]).decode()}
    for name in ("fetch_status", "content_charset", "content_mime_type",
                 "content_truncated"):
        if row.get(name) is not None:
            line[name] = row[name]
    if row.get("fetch_time") is not None:
        line["fetch_time"] = row["fetch_time"].isoformat()
    return json.dumps(line) + "\n"


def main(arguments):
    if len(arguments) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    _, crawl, count, out = arguments
    if out.endswith(".html"):
        pathlib.Path(out).write_bytes(next(pages(crawl, 1))["content"])
        return 0
    opener = gzip.open if out.endswith(".gz") else open
    with opener(out, "wt", encoding="utf-8") as file:
        for row in pages(crawl, int(count)):
            file.write(to_line(row))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

#!/usr/bin/python3
"""Writes pages of crawl tables as UTF-8 files for html_bench.

    export_pages.py OUT PER_TABLE TABLE.parquet...

Takes PER_TABLE pages of each table, spread evenly over it, and decodes them
by the table's content_charset so that every parser sees the same bytes.
"""
import codecs
import pathlib
import sys

import pyarrow.parquet as parquet


def decode(content, charset):
    try:
        codecs.lookup(charset or "")
    except LookupError:
        charset = "cp1252"
    return content.decode(charset, errors="replace")


def main():
    out = pathlib.Path(sys.argv[1])
    per_table = int(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for number, path in enumerate(sys.argv[3:]):
        table = parquet.read_table(path, columns=["content", "content_charset"])
        step = max(1, table.num_rows // per_table)
        rows = table.take(list(range(0, table.num_rows, step))[:per_table])
        for i, row in enumerate(rows.to_pylist()):
            text = decode(row["content"], row["content_charset"])
            name = f"{number:03d}-{i:03d}.html"
            (out / name).write_bytes(text.encode("utf-8", errors="replace"))


if __name__ == "__main__":
    main()

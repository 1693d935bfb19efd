#!/usr/bin/python3
"""Prints the rows of tables, sorted, one a line: table_rows.py TABLE..."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "deploy"))
import crawl_to_jsonl  # pylint: disable=wrong-import-position


def main():
    parquet = crawl_to_jsonl.load_pyarrow()
    for table in map(pathlib.Path, sys.argv[1:]):
        rows = []
        for part in sorted(table.glob("part-*.parquet")):
            rows += map(repr, parquet.read_table(part).to_pylist())
        for row in sorted(rows):
            print(table.name, row)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Prints the rows of tables, sorted, one a line: table_rows.py TABLE...
For other scripts: the rows of one, as dictionaries."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "deploy"))
import crawl_to_jsonl  # pylint: disable=wrong-import-position


def rows(table, columns=None):
    parquet = crawl_to_jsonl.load_pyarrow()
    for part in sorted(pathlib.Path(table).glob("*.parquet")):
        yield from parquet.ParquetFile(part).read(columns=columns).to_pylist()


def main():
    for table in map(pathlib.Path, sys.argv[1:]):
        for row in sorted(map(repr, rows(table))):
            print(table.name, row)


if __name__ == "__main__":
    main()

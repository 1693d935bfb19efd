#!/usr/bin/env python3
"""one_row_group.py CRAWL OUT.parquet: all rows of a crawl in a single row
group, which a reader must not hold as a whole."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "deploy"))
import crawl_to_jsonl  # pylint: disable=wrong-import-position


def main(arguments):
    _, crawl, out = arguments
    parquet = crawl_to_jsonl.load_pyarrow()
    table = parquet.read_table(crawl, columns=["url", "content"])
    parquet.write_table(table, out, compression="zstd",
                        use_dictionary=False, row_group_size=len(table))
    assert parquet.ParquetFile(out).num_row_groups == 1


if __name__ == "__main__":
    main(sys.argv)

#!/usr/bin/python3
"""open_records.py OUTPUT MOVIES BOOKS: opens the records of an output with
pyarrow and DuckDB and checks what is in them. Exit code 77 without DuckDB."""
import glob
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "deploy"))
import crawl_to_jsonl  # pylint: disable=wrong-import-position


def load_duckdb():
    """DuckDB of the machine, or the one that deploy/setup unpacked."""
    try:
        import duckdb  # pylint: disable=import-outside-toplevel
    except ImportError:
        cache = os.environ.get("TROMMEL_CACHE") or os.path.expanduser(
            "~/.cache/trommel")
        sys.path.extend(sorted(glob.glob(f"{cache}/duckdb-*")))
        try:
            import duckdb  # pylint: disable=import-outside-toplevel
        except ImportError:
            print("SKIPPED: no DuckDB; deploy/setup fetches it",
                  file=sys.stderr)
            sys.exit(77)
    return duckdb


def check(what, is_right):
    if not is_right:
        sys.exit(f"FAILED: {what}")


def check_pyarrow(records, movies, books):
    crawl_to_jsonl.load_pyarrow()
    import pyarrow  # pylint: disable=import-outside-toplevel
    import pyarrow.dataset  # pylint: disable=import-outside-toplevel

    movie = pyarrow.dataset.dataset(f"{records}/schema=movie")
    expected = {"url": pyarrow.string(), "site": pyarrow.string(),
                "cluster_id": pyarrow.string(), "rule_id": pyarrow.string(),
                "record_index": pyarrow.int64(),
                "fetch_time": pyarrow.timestamp("us", "UTC"),
                "content_digest": pyarrow.string(),
                "confidence": pyarrow.float64(),
                "attribute_confidence": pyarrow.list_(pyarrow.float64()),
                "title": pyarrow.string(), "runtime": pyarrow.string()}
    for name, kind in expected.items():
        check(f"{name} is {movie.schema.field(name).type}",
              movie.schema.field(name).type == kind)
    check("genre is a list of strings", pyarrow.types.is_list(
        movie.schema.field("genre").type) and
        movie.schema.field("genre").type.value_type == pyarrow.string())
    table = movie.to_table()
    check("rows of movies", table.num_rows == movies)
    check("confidence from 0 to 1", all(
        0 < row <= 1 for row in table["confidence"].to_pylist()))
    check("lists have values", all(table["genre"].to_pylist()))
    # The partition is a column.
    both = pyarrow.dataset.dataset(records, partitioning="hive").to_table(
        columns=["url", "schema"])
    by_schema = both["schema"].to_pylist()
    check("partition movie", by_schema.count("movie") == movies)
    check("partition book", by_schema.count("book") == books)
    check("nothing else", len(by_schema) == movies + books)


def check_duckdb(output, movies, books):
    duckdb = load_duckdb()
    records = f"{output}/records"
    rows = duckdb.sql(f"""
        select schema, count(*), count(distinct url), min(confidence) > 0
        from read_parquet('{records}/**/*.parquet',
                          hive_partitioning = true, union_by_name = true)
        group by schema order by schema""").fetchall()
    check(f"DuckDB's counts: {rows}",
          rows == [("book", books, books, True), ("movie", movies, movies,
                                                  True)])
    types = dict(duckdb.sql(f"""
        select column_name, column_type from (describe
        select * from '{records}/schema=movie/*.parquet')""").fetchall())
    for name, kind in {"url": "VARCHAR", "record_index": "BIGINT",
                       "fetch_time": "TIMESTAMP WITH TIME ZONE",
                       "confidence": "DOUBLE",
                       "attribute_confidence": "DOUBLE[]", "title": "VARCHAR",
                       "genre": "VARCHAR[]"}.items():
        check(f"DuckDB's type of {name} is {types[name]}", types[name] == kind)
    values = duckdb.sql(f"""
        select count(*) from (select unnest(genre) as value
        from '{records}/schema=movie/*.parquet')""").fetchone()[0]
    check("values of lists", values > movies)
    rejects = duckdb.sql(f"""
        select count(*) from '{output}/figures/*.parquet'
        where event = 'extracted'""").fetchone()[0]
    check("figures", rejects > 0)


def main():
    output = sys.argv[1]
    movies, books = map(int, sys.argv[2:])
    check_pyarrow(f"{output}/records", movies, books)
    check_duckdb(output, movies, books)
    print("ok")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""readers_test.py TROMMEL [--spark]: the programs that people work with open
the tables of `trommel extract` and of a pipeline, of one and two verticals, of
one and three nights. All of them find the same rows, the columns of the
schemas, and a column for each level of folders.

Without --spark these are DuckDB, polars and pandas, else Spark alone. Exit code
77 when one of them is missing."""
import datetime
import glob
import importlib
import math
import os
import pathlib
import sys
import tempfile

import nights

BOOK = nights.Vertical("book", "annotations/book-{date}.jsonl",
                       sites=("books.example",))
MOVIE = nights.Vertical("movie", "annotations/{date}.jsonl",
                        sites=("films.example", "cinema.example"))
BOOK_SITE = 'site { host: "books.example" vertical: "book" pages: 40 }'
# Readers give it types of their own, which need modules of their own.
TIME_COLUMN = "fetch_time"


def load(name, package):
    """A module of the machine, or the one that deploy/setup unpacked."""
    cache = os.environ.get("TROMMEL_CACHE") or os.path.expanduser(
        "~/.cache/trommel")
    sys.path.extend(sorted(glob.glob(f"{cache}/{package}-*")))
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"SKIPPED: no {name} ({error}); deploy/setup --all fetches it",
              file=sys.stderr)
        sys.exit(77)


def plain(value):
    """The value as every reader has it."""
    if value is None or isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()[:10]
    if not isinstance(value, (str, int, float)):  # a list, or an array
        return [plain(inside) for inside in value]
    if isinstance(value, float):  # or a kind of float, which repr() tells of
        return float(value)
    return value


def normal(columns, rows):
    """What is compared: the columns, and the rows without what they lack."""
    return set(columns), sorted(
        repr(sorted((name, plain(value)) for name, value in row.items()
                    if name != TIME_COLUMN and plain(value) is not None))
        for row in rows)


def expected(folder):
    """What is in a folder of tables, file by file."""
    parquet = nights.crawl_to_jsonl.load_pyarrow()
    columns = set()
    rows = []
    for part in sorted(folder.rglob("*.parquet")):
        partitions = dict(level.split("=") for level in
                          part.parent.relative_to(folder).parts)
        table = parquet.ParquetFile(part).read()
        columns |= {*table.column_names, *partitions}
        rows += [{**row, **partitions} for row in table.to_pylist()]
    assert rows, f"{folder} has no rows"
    return normal(columns, rows)


class DuckDb:
    name = "DuckDB"

    def __init__(self):
        self.duckdb = load("duckdb", "duckdb")

    def read(self, folder, _):
        table = self.duckdb.sql(f"""
            from read_parquet('{folder}/**/*.parquet', hive_partitioning = true,
                              union_by_name = true)""")
        values = table.project(f"columns(name -> name <> '{TIME_COLUMN}')")
        return normal(table.columns, [dict(zip(values.columns, row))
                                      for row in values.fetchall()])


class Polars:
    name = "polars"

    def __init__(self):
        self.polars = load("polars", "polars")

    def read(self, folder, schemas):
        # A pattern for each vertical: polars wants the same columns in all.
        patterns = [f"{folder}/**/schema={schema}/*.parquet"
                    for schema in schemas] or [f"{folder}/**/*.parquet"]
        frame = self.polars.concat(
            [self.polars.read_parquet(pattern, hive_partitioning=True)
             for pattern in patterns], how="diagonal")
        found = normal(frame.columns, frame.to_dicts())
        if len(schemas) < 2:  # the folder does as well
            frame = self.polars.scan_parquet(
                folder, hive_partitioning=True,
                hidden_file_prefix="_").collect()
            assert found == normal(frame.columns, frame.to_dicts())
        return found


class Pandas:
    name = "pandas"

    def __init__(self):
        load("numpy", "pandas")  # pyarrow looks for it when it is imported
        nights.crawl_to_jsonl.load_pyarrow()
        self.pandas = load("pandas", "pandas")
        self.pyarrow = load("pyarrow", "arrow")
        self.dataset = load("pyarrow.dataset", "arrow")

    def read(self, folder, schemas):
        more = {}
        if len(schemas) > 1:  # else it takes the columns of the first file
            whole = self.dataset.dataset(folder, partitioning="hive")
            more["schema"] = self.pyarrow.unify_schemas(
                [whole.schema] +
                [part.physical_schema for part in whole.get_fragments()])
        frame = self.pandas.read_parquet(folder, **more)
        return normal(frame.columns, frame.to_dict("records"))


class Spark:
    name = "Spark"

    def __init__(self):
        load("py4j", "spark")
        pyspark = load("pyspark", "spark")
        os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        os.environ["PYSPARK_PYTHON"] = sys.executable
        sql = load("pyspark.sql", "spark")
        self.session = (
            sql.SparkSession.builder.master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "1").getOrCreate())
        self.session.sparkContext.setLogLevel("ERROR")

    def read(self, folder, schemas):
        reader = self.session.read
        if len(schemas) > 1:  # else it takes the columns of one file
            reader = reader.option("mergeSchema", "true")
        frame = reader.parquet(str(folder))
        return normal(frame.columns,
                      [row.asDict() for row in frame.collect()])


class Checker:
    """Opens folders with every reader."""

    def __init__(self, readers):
        self.readers = readers
        self.num_opened = 0

    def table(self, folder, schemas, partitions):
        columns, rows = expected(folder)
        assert set(partitions) <= columns, columns
        for reader in self.readers:
            found_columns, found_rows = reader.read(folder, schemas)
            what = f"{reader.name}, {folder}"
            assert found_columns == columns, (
                f"{what}: columns {found_columns}, not {columns}")
            assert found_rows == rows, (
                f"{what}: {len(found_rows)} rows, not {len(rows)}, or others: "
                f"{found_rows[:1]} {rows[:1]}")
            self.num_opened += 1

    def output(self, folder, schemas, partitions=()):
        """The three tables of an output, or of a pipeline."""
        self.table(folder / "records", schemas, ["schema", *partitions])
        self.table(folder / "rejects", [], partitions)
        self.table(folder / "figures", [], partitions)


def check_verticals(trommel, folder, verticals, checker):
    """A pipeline of these verticals after one night, and after three; and what
    `trommel extract` by itself makes of its rules."""
    schemas = [vertical.name for vertical in verticals]
    place = nights.Place(trommel, folder, verticals=verticals)
    place.make_web(3, more_sites=BOOK_SITE)
    place.annotate()
    checker.output(place.folder, schemas, ["date"])
    place.verb("extract", f"--crawl={place.folder}/web/day={nights.FIRST}/crawl",
               f"--rules={place.folder}/rules/{place.version_of(nights.FIRST)}",
               f"--out={folder}/out")
    checker.output(folder / "out", schemas)
    for date in nights.dates(3)[1:]:
        place.run(f"--date={date}")
    checker.output(place.folder, schemas, ["date"])
    assert len(list((place.folder / "records").glob("date=*"))) == 3


def main():
    trommel = os.path.abspath(sys.argv[1])
    readers = ([Spark()] if "--spark" in sys.argv[2:] else
               [DuckDb(), Polars(), Pandas()])
    checker = Checker(readers)
    with tempfile.TemporaryDirectory() as temp:
        for verticals in ([MOVIE], [MOVIE, BOOK]):
            check_verticals(trommel, pathlib.Path(temp) / str(len(verticals)),
                            verticals, checker)
    print(f"ok: {checker.num_opened} tables opened with "
          f"{', '.join(reader.name for reader in readers)}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Crawls with a value that is larger than the memory of a task:

    huge_values_test.py TROMMEL

A page that is alone in its Parquet page is a reject; one that shares it with
others is an error that says which flag helps.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "deploy"))
import crawl_to_jsonl  # pylint: disable=wrong-import-position

TROMMEL = ""
MEMORY_MB = 256
HUGE = b"\0" * (300 << 20)
# What processes take beside pages, and pages while they are read.
PEAK_MB = 200

# Runs a command and says how much memory its largest process took.
MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"peak_kb={peak}", file=sys.stderr)
sys.exit(code)
"""


def write_crawl(folder, contents, **settings):
    """A row group for each list of contents."""
    parquet = crawl_to_jsonl.load_pyarrow()
    import pyarrow  # pylint: disable=import-outside-toplevel,import-error
    schema = pyarrow.schema([("url", pyarrow.string()),
                             ("content", pyarrow.binary())])
    folder.mkdir()
    with parquet.ParquetWriter(folder / "part-00000.parquet", schema,
                               compression="zstd", **settings) as writer:
        for number, group in enumerate(contents):
            urls = [f"http://a.example/{number}/{i}" for i in range(len(group))]
            writer.write_table(pyarrow.table([urls, group], schema=schema))


class HugeValues(unittest.TestCase):

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.folder = pathlib.Path(temp.name)

    def cluster(self, crawl):
        return subprocess.run(
            [sys.executable, "-c", MEASURE, TROMMEL, "cluster",
             f"--crawl={crawl}", f"--out={self.folder}/out", "--force",
             "--json", "--workers=1", f"--task-memory-mb={MEMORY_MB}",
             "--max-bad-fraction=1"],
            capture_output=True, text=True, check=False)

    def test_a_page_alone_is_a_reject_in_little_memory(self):
        page = b"<html><body><p>a</p><b>c</b></body></html>"
        for label, settings in (("plain", {"use_dictionary": False}),
                                ("dictionary", {})):
            with self.subTest(label):
                crawl = self.folder / label
                write_crawl(crawl, [[page, page], [HUGE], [page]], **settings)
                result = self.cluster(crawl)
                self.assertEqual(result.returncode, 0, result.stderr)
                counters = json.loads(result.stdout)["counters"]
                self.assertEqual(counters["rows.read"], 4)
                self.assertEqual(counters["rejected.too_large"], 1)
                peak = int(result.stderr.split("peak_kb=")[1].split()[0])
                print(f"{label}: peak {peak // 1000} MB")
                self.assertLess(peak // 1000, PEAK_MB)

    def test_a_page_among_others_names_the_flag(self):
        crawl = self.folder / "shared"
        write_crawl(crawl, [[b"a", HUGE, b"b"]], use_dictionary=False)
        result = self.cluster(crawl)
        self.assertEqual(result.returncode, 1)
        for part in ("part-00000.parquet", "row group 0", "column content",
                     "--task-memory-mb=903"):
            self.assertIn(part, result.stderr)


if __name__ == "__main__":
    TROMMEL = sys.argv[1]
    unittest.main(argv=sys.argv[:1], verbosity=2)

#!/usr/bin/env python3
"""Damaged files of crawls, clusters, samples, rules, records and a pipeline's
night are noticed, or do no harm:

    byte_flip_test.py TROMMEL FLIP_BYTES [EVERY_NTH_OF_SMALL EVERY_NTH_OF_NIGHT]

flip_bytes damages every nth byte and reads what is damaged in its own process;
a sample of flips goes through the verbs themselves.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "run"))
import nights  # pylint: disable=wrong-import-position

SEED = int(os.environ.get("TROMMEL_SEED", "20260118"))
TROMMEL = FLIP_BYTES = ""
EVERY_NTH_OF_SMALL, EVERY_NTH_OF_NIGHT = "7", "499"
FLIPS_PER_FILE = 6

PAGE = """<html><head><title>Shop</title></head><body><ul><li><a>Home</a></li>
<li><a>Help</a></li></ul><div class=product><h1>Product %d</h1><table><tr>
<th>Maker</th><td><b>ACME</b></td></tr></table><em>%d.00</em></div>
<address>Imprint</address></body></html>"""


def trommel(*arguments):
    return subprocess.run([TROMMEL, *map(str, arguments)], check=False,
                          capture_output=True, text=True)


def flip_bytes(every_nth, *folders):
    """Fails if any damage is silent; prints the counts in any case."""
    result = subprocess.run([FLIP_BYTES, str(SEED), every_nth, *map(str, folders)],
                            check=False, capture_output=True, text=True)
    print(f"every {every_nth}th byte, seed {SEED}\n{result.stdout}", flush=True)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]


class SmallOutputs(unittest.TestCase):
    """A crawl of some pages, and its clusters."""

    @classmethod
    def setUpClass(cls):
        temp = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temp.cleanup)
        cls.folder = pathlib.Path(temp.name)
        lines = cls.folder / "pages.jsonl"
        lines.write_text("".join(
            json.dumps({"url": f"http://shop.example/p/{i}",
                        "content": PAGE % (i, i)}) + "\n" for i in range(8)),
                         encoding="utf-8")
        cls.crawl = cls.folder / "outputs/crawl"
        cls.clusters = cls.folder / "outputs/clusters"
        for arguments in (
                ("ingest", "--from=jsonl", f"--out={cls.crawl}", lines),
                ("cluster", f"--crawl={cls.crawl}", f"--out={cls.clusters}",
                 "--reducers=1", "--workers=1")):
            result = trommel(*arguments)
            assert result.returncode == 0, result.stderr

    def test_no_damage_is_silent(self):
        flip_bytes(EVERY_NTH_OF_SMALL, self.folder / "outputs")

    def verbs(self):
        """Verbs that read the outputs, by the folder of what they read."""
        yield self.crawl, ("stats", f"--crawl={self.crawl}", "--workers=1",
                           "--json")
        out = self.folder / "sampled"
        yield self.clusters / "clusters", (
            "sample", f"--crawl={self.crawl}", f"--clusters={self.clusters}",
            f"--out={out}", "--force", "--workers=1", "--reducers=1", "--json")

    def test_verbs_notice_flips(self):
        print(f"seed {SEED}")
        generator = random.Random(SEED)
        for folder, verb in self.verbs():
            expected = trommel(*verb)
            self.assertEqual(expected.returncode, 0, expected.stderr)
            for file in [*sorted(folder.glob("part-*.parquet"))[:1],
                         *sorted(folder.glob("_SUCCESS"))]:
                self.flip_some(file, verb, expected.stdout, generator)

    def flip_some(self, file, verb, expected, generator):
        good = file.read_bytes()
        for _ in range(FLIPS_PER_FILE):
            at = generator.randrange(len(good))
            bad = bytearray(good)
            bad[at] ^= 1 << generator.randrange(8)
            file.write_bytes(bad)
            with self.subTest(verb=verb[0], file=file.name, at=at):
                result = trommel(*verb)
                if result.returncode == 0:
                    self.assertEqual(result.stdout, expected)
                else:
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(file.name, result.stderr)
        file.write_bytes(good)

    def test_a_page_of_an_unknown_type_is_no_empty_shard(self):
        """The first byte behind the magic bytes begins the first page header,
        and the second is its type: data."""
        file = self.crawl / "part-00000.parquet"
        good = file.read_bytes()
        self.assertEqual(good[4:6], b"\x15\x00")
        file.write_bytes(good[:5] + b"\x10" + good[6:])
        result = trommel("stats", f"--crawl={self.crawl}", "--workers=1")
        file.write_bytes(good)
        self.assertEqual(result.returncode, 1)
        for part in (str(file), "row group 0", "column url",
                     "promises 8 values", "have 0"):
            self.assertIn(part, result.stderr)

    def test_verify_compares_whole_files(self):
        """The first bytes of a shard are read by nobody."""
        file = self.crawl / "part-00000.parquet"
        good = file.read_bytes()
        file.write_bytes(b"p" + good[1:])
        stats = ("stats", f"--crawl={self.crawl}", "--workers=1")
        without, with_flag = trommel(*stats), trommel(*stats, "--verify")
        file.write_bytes(good)
        self.assertEqual(without.returncode, 0, without.stderr)
        self.assertEqual(with_flag.returncode, 1)
        self.assertIn(str(file), with_flag.stderr)
        self.assertIn("digest", with_flag.stderr)
        self.assertEqual(trommel(*stats, "--verify").returncode, 0)


class Night(unittest.TestCase):
    """All that a pipeline has after a night: samples, rules, their store,
    records, and what watches them."""

    def test_no_damage_is_silent(self):
        with tempfile.TemporaryDirectory() as temp:
            place = nights.Place(TROMMEL, temp)
            place.make_web(1)
            place.annotate()
            flip_bytes(EVERY_NTH_OF_NIGHT, place.folder)


if __name__ == "__main__":
    TROMMEL, FLIP_BYTES = sys.argv[1:3]
    if len(sys.argv) > 3:
        EVERY_NTH_OF_SMALL, EVERY_NTH_OF_NIGHT = sys.argv[3:5]
    unittest.main(argv=sys.argv[:1], verbosity=2)

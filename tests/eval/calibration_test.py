#!/usr/bin/python3
"""calibration_test.py: how calibration.py adds runs up, and what falls short."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import calibration

SCRIPT = pathlib.Path(__file__).with_name("calibration.py")


def kind(*statements):
    """What eval says of (stated, count, right)."""
    bins = [{"from": i / 10, "to": (i + 1) / 10, "count": 0, "right": 0,
             "stated": None, "found": None} for i in range(10)]
    certain = {"from": 0.99, "to": 1, "count": 0, "right": 0, "stated": None,
               "found": None}
    for stated, count, right in statements:
        numbers = {"count": count, "right": right, "stated": stated,
                   "found": right / count}
        bins[min(9, int(stated * 10))].update(numbers)
        if stated >= 0.99:
            certain.update(numbers)
    return {"count": sum(s[1] for s in statements), "bins": bins,
            "certain": certain}


def run(values, records=()):
    return {"calibration": {"values": kind(*values), "records": kind(*records)}}


class CalibrationTest(unittest.TestCase):
    def call(self, runs, *flags):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for i, one in enumerate(runs):
                paths.append(pathlib.Path(folder) / f"{i}.json")
                paths[-1].write_text(json.dumps(one), encoding="utf-8")
            return subprocess.run(
                [sys.executable, str(SCRIPT), *map(str, paths), *flags],
                capture_output=True, text=True, check=False)

    def test_runs_are_added_up_bin_by_bin(self):
        # One run states too much and the other too little: together 13 of 20
        # at 0.65. Of ten at 1.0 nine are right.
        pool = calibration.pooled(
            [run([(0.6, 10, 4), (1.0, 10, 9)]), run([(0.7 - 1e-9, 10, 9)]),
             run([])])["values"]
        self.assertEqual(pool.count(), 30)
        one = pool.bins[(0.6, 0.7)]
        self.assertEqual((one.count, one.right), (20, 13))
        self.assertAlmostEqual(one.stated(), 0.65)
        self.assertAlmostEqual(pool.expected_error(), (0 + 1) / 30)
        self.assertEqual(pool.certain.found(), 0.9)
        self.assertIsNone(pool.bins[(0.0, 0.1)].found())

    def test_check(self):
        good = run([(0.5, 10, 5), (1.0, 10, 10)], [(1.0, 10, 10)])
        vain = run([(0.5, 10, 5), (1.0, 10, 8)], [(1.0, 10, 10)])
        vain_records = run([(1.0, 10, 10)], [(1.0, 10, 7)])
        modest = run([(0.5, 10, 5)], [(0.5, 10, 5)])
        empty = run([])
        both = ("--max-ece=0.05", "--least-certain=0.95")
        for label, runs, flags, code, said in (
                ("good", [good], both, 0, ""),
                ("error of values", [vain], ("--max-ece=0.05",), 1,
                 "values: the expected error is 0.1000, more than 0.05"),
                ("error of records", [vain_records], ("--max-ece=0.05",), 1,
                 "records: the expected error is 0.3000"),
                ("certain values", [vain], ("--least-certain=0.95",), 1,
                 "values: of what is stated with 0.99 0.8000 is right"),
                ("a better run beside it", [vain, good], both, 1, "values"),
                ("just enough", [vain], ("--max-ece=0.1",
                                         "--least-certain=0.8"), 0, ""),
                ("nothing is certain", [modest], both, 1,
                 "values: nothing is stated with 0.99"),
                ("certainty is not asked for", [modest], ("--max-ece=0.05",),
                 0, ""),
                ("nothing at all", [empty], ("--max-ece=1",), 1,
                 "records: nothing is stated")):
            with self.subTest(label):
                result = self.call(runs, "--check", *flags)
                self.assertEqual(result.returncode, code,
                                 result.stdout + result.stderr)
                self.assertIn(said, result.stdout)
                self.assertEqual("falls short" in result.stdout, code == 1)
                # Without --check it says the same.
                self.assertEqual(self.call(runs, *flags).returncode, 0)

    def test_table(self):
        out = self.call([run([(0.5, 10, 4)], [(1.0, 2, 1)])]).stdout
        self.assertIn("calibration of values: 10 stated, expected error 0.1000",
                      out)
        self.assertIn("0.5 to 0.6        10  0.5000  0.4000\n", out)
        self.assertIn("0.6 to 0.7         0       -       -\n", out)
        self.assertIn(">= 0.99            2  1.0000  0.5000\n", out)

    def test_what_is_wrong_is_named(self):
        for label, result, said in (
                ("no run", self.call([{"pages": 1}]),
                 "0.json: not from trommel eval --calibration --json"),
                ("no threshold", self.call([run([])], "--check"),
                 "--check needs --max-ece or --least-certain"),
                ("no share", self.call([run([])], "--max-ece=2"),
                 "2 is not from 0 to 1")):
            with self.subTest(label):
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""calibration.py RUN.json...: whether confidence can be believed, over several
runs of `trommel eval --calibration --json`, whose counts are added up bin by
bin. Prints for values and for records what is stated against what is found, and
the expected calibration error (core/eval/calibration.cc says what these are).

With --check it ends with 1 unless, of values as of records, the error is at most
--max-ece and of what is stated with a confidence of 0.99 or more at least
--least-certain is right. Where nothing is stated nothing is shown, which falls
short too."""
import argparse
import json
import pathlib
import sys

KINDS = ("values", "records")


class Bin:
    """Statements of a range of confidence, of all runs."""

    def __init__(self, low, high):
        self.low = low
        self.high = high
        self.count = 0
        self.right = 0
        self.stated_sum = 0.0

    def add(self, run):
        """A bin of a run."""
        if run["count"] == 0:
            return
        self.count += run["count"]
        self.right += run["right"]
        self.stated_sum += run["stated"] * run["count"]

    def stated(self):
        return self.stated_sum / self.count if self.count else None

    def found(self):
        return self.right / self.count if self.count else None


class Reliability:
    """Of values, or of records."""

    def __init__(self):
        self.bins = {}  # by (from, to)
        self.certain = Bin(0.99, 1)

    def add(self, run):
        for one in run["bins"]:
            place = (one["from"], one["to"])
            self.bins.setdefault(place, Bin(*place)).add(one)
        self.certain.add(run["certain"])

    def count(self):
        return sum(one.count for one in self.bins.values())

    def expected_error(self):
        """None where nothing is stated."""
        if self.count() == 0:
            return None
        return sum(abs(one.stated_sum - one.right)
                   for one in self.bins.values()) / self.count()


def pooled(runs):
    """Of the JSON objects of runs, by kind."""
    pools = {kind: Reliability() for kind in KINDS}
    for run in runs:
        for kind, pool in pools.items():
            pool.add(run["calibration"][kind])
    return pools


def cell(share):
    return "-" if share is None else f"{share:.4f}"


def table(kind, pool):
    lines = [f"calibration of {kind}: {pool.count()} stated, expected error "
             f"{cell(pool.expected_error())}",
             f"{'confidence':<10} {'count':>9} {'stated':>7} {'found':>7}"]
    named = [(f"{one.low:.1f} to {one.high:.1f}", one)
             for _, one in sorted(pool.bins.items())]
    for name, one in named + [(f">= {pool.certain.low}", pool.certain)]:
        lines.append(f"{name:<10} {one.count:>9} {cell(one.stated()):>7} "
                     f"{cell(one.found()):>7}")
    return "\n".join(lines)


def shortfalls(kind, pool, max_ece=None, least_certain=None):
    """What falls short, for people."""
    found = []
    if max_ece is not None:
        error = pool.expected_error()
        if error is None:
            found.append(f"{kind}: nothing is stated")
        elif error > max_ece:
            found.append(f"{kind}: the expected error is {error:.4f}, more "
                         f"than {max_ece}")
    if least_certain is not None:
        share = pool.certain.found()
        if share is None:
            found.append(f"{kind}: nothing is stated with {pool.certain.low}")
        elif share < least_certain:
            found.append(f"{kind}: of what is stated with {pool.certain.low} "
                         f"{share:.4f} is right, less than {least_certain}")
    return found


def read_run(path):
    """Of a file; ends the script if it is no such run."""
    try:
        run = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: {error}")
    if not isinstance(run, dict) or "calibration" not in run:
        sys.exit(f"{path}: not from trommel eval --calibration --json")
    return run


def share(text):
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1")
    return value


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN.json")
    parser.add_argument("--max-ece", type=share, metavar="X")
    parser.add_argument("--least-certain", type=share, metavar="Y")
    parser.add_argument("--check", action="store_true")
    flags = parser.parse_args()
    if flags.check and flags.max_ece is None and flags.least_certain is None:
        parser.error("--check needs --max-ece or --least-certain")
    short = []
    for kind, pool in pooled(map(read_run, flags.runs)).items():
        print(table(kind, pool))
        short += shortfalls(kind, pool, flags.max_ece, flags.least_certain)
    for line in short:
        print(f"falls short: {line}")
    return 1 if flags.check and short else 0


if __name__ == "__main__":
    sys.exit(main())

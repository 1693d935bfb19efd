#!/usr/bin/python3
"""Prints speeds and ratios from the JSON that html_bench wrote.

    ratios.py RESULT.json

Times are the least over the repetitions of the run: other processes only ever
add to them.
"""
import collections
import json
import sys

MEASURES = ["lexbor_bare", "lexbor_fresh", "document_direct",
            "document_lexbor", "gumbo_bare", "document_gumbo", "scan_tags", "page_signatures",
            "signatures_and_words"]

# Name, measure, the measure it is divided by, comparison, target.
RATIOS = [
    ("document, direct / lexbor bare", "document_direct", "lexbor_bare",
     "<=", 0.4),
    ("document, by lexbor / direct", "document_lexbor", "document_direct",
     ">=", 2.5),
    ("document, by lexbor / lexbor bare", "document_lexbor", "lexbor_bare",
     "<=", 1.3),
    ("gumbo bare / document, direct", "gumbo_bare", "document_direct",
     ">=", 10.0),
    ("lexbor bare / scanner", "lexbor_bare", "scan_tags", ">=", 5.0),
    ("signatures, of lexbor's bare parse time", "page_signatures",
     "lexbor_bare", "<=", 0.2),
    ("signatures with words / without", "signatures_and_words",
     "page_signatures", "<=", 1.25),
]


def main():
    with open(sys.argv[1]) as file:
        runs = json.load(file)["benchmarks"]
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    speeds = collections.defaultdict(dict)
    for run in runs:
        if run["run_type"] != "iteration" or run.get("error_occurred"):
            continue
        corpus, measure = run["name"].split("/")[:2]
        times[corpus][measure].append(run["cpu_time"])
        speeds[corpus].setdefault(measure, []).append(run["bytes_per_second"])
    for corpus in sorted(times):
        print(f"{corpus}:")
        for measure in MEASURES:
            speed = max(speeds[corpus][measure]) / 1e6
            print(f"  {measure:40} {speed:8.0f} MB/s")
        for name, measure, by, comparison, target in RATIOS:
            ratio = min(times[corpus][measure]) / min(times[corpus][by])
            met = ratio <= target if comparison == "<=" else ratio >= target
            print(f"  {name:40} {ratio:8.2f}   target {comparison} {target:g}"
                  f"   {'met' if met else 'MISSED'}")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""extract.py BUILD DATA RULES [ROUNDS]: what `trommel extract` costs.

DATA has folders SITE/crawl, RULES has SITE/rules (tests/eval/swde.sh --work).
Takes turns at lexbor's bare parse of all pages, `trommel extract` of all of
them with one worker and with two, and a script around lxml that does the same
work: pages from Parquet, one XPath for each attribute of the site, such as
people write by hand, values with white space normalised, records to Parquet.
Prints the least of each and ratios; processor seconds, but for the ratio of two
workers to one, which is by the clock and over four times the pages, so that it
is not one of starting up.
"""
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "deploy"), str(ROOT / "tests/testing")]
import crawl_to_jsonl  # pylint: disable=wrong-import-position
from load_lxml import load_lxml  # pylint: disable=wrong-import-position


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def extract(trommel, crawls, rules, workers):
    """Processor seconds and seconds by the clock."""
    out = tempfile.mkdtemp()
    try:
        before, start = children_seconds(), time.monotonic()
        subprocess.run(
            [trommel, "extract", f"--workers={workers}", f"--out={out}/records",
             "--split-mb=16"]
            + [f"--crawl={crawl}" for crawl in crawls]
            + [f"--rules={rule}" for rule in rules],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return children_seconds() - before, time.monotonic() - start
    finally:
        shutil.rmtree(out)


# The usual idioms: a heading, a class among others, what stands beside a
# label, a list below an id, an item by its first words.
XPATHS = [
    "//h1//text()",
    "//*[contains(concat(' ', normalize-space(@class), ' '), ' price ')]"
    "//text()",
    "//td[contains(., 'Price')]/following-sibling::td[1]//text()",
    "//div[@id='content']//a/text()",
    "//li[starts-with(normalize-space(.), 'Genre')]//text()",
]


def attributes_of(rules):
    """How many the rules of a site extract, from rules.textproto."""
    text = (rules / "rules.textproto").read_text(encoding="utf-8")
    return len(set(re.findall(r'\n  attribute \{\s*name: "([^"]+)"', text)))


def with_lxml(sites):
    parquet = crawl_to_jsonl.load_pyarrow()
    import pyarrow  # pylint: disable=import-outside-toplevel

    lxml = load_lxml()
    start = time.process_time()
    with tempfile.TemporaryDirectory() as out:
        for number, (crawl, rules) in enumerate(sites):
            xpaths = [lxml.etree.XPath(xpath)
                      for xpath in XPATHS[:attributes_of(rules)]]
            records = []
            for part in sorted(crawl.glob("*.parquet")):
                for batch in parquet.ParquetFile(part).iter_batches(
                        batch_size=64, columns=["url", "content"]):
                    for page in batch.to_pylist():
                        tree = lxml.html.document_fromstring(page["content"])
                        record = {"url": page["url"]}
                        for i, xpath in enumerate(xpaths):
                            record[f"attribute_{i}"] = [
                                " ".join(text.split()) for text in xpath(tree)]
                        records.append(record)
            parquet.write_table(pyarrow.Table.from_pylist(records),
                                f"{out}/{number}.parquet")
    return time.process_time() - start


def main():
    build, data, work = map(pathlib.Path, sys.argv[1:4])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    names = sorted(path.parent.name for path in work.glob("*/rules"))
    sites = [(data / name / "crawl", work / name / "rules") for name in names]
    crawls = [crawl for crawl, _ in sites]
    rules = [rule for _, rule in sites]
    bare, one, one_clock, two_clock, lxml_seconds = [], [], [], [], []
    size = 0
    for _ in range(rounds):
        line = subprocess.run([build / "tests/bench/extract_bench", *crawls],
                              check=True, capture_output=True, text=True).stdout
        size = int(line.split()[0])
        bare.append(float(line.split()[1]))
        one.append(extract(build / "trommel", crawls, rules, 1)[0])
        one_clock.append(extract(build / "trommel", 4 * crawls, rules, 1)[1])
        two_clock.append(extract(build / "trommel", 4 * crawls, rules, 2)[1])
        if len(lxml_seconds) < 2:  # it takes as long as all the others
            lxml_seconds.append(with_lxml(sites))
    megabytes = size / 1e6
    print(f"{len(sites)} sites, {megabytes:.0f} MB of pages")
    print(f"lexbor's bare parse           {min(bare):7.2f} s "
          f"{megabytes / min(bare):6.0f} MB/s")
    print(f"trommel extract, one worker   {min(one):7.2f} s "
          f"{megabytes / min(one):6.0f} MB/s  "
          f"{min(one) / min(bare):.2f}x the bare parse")
    print(f"  two workers, by the clock   {min(two_clock):7.2f} s "
          f"of {min(one_clock):.2f} s: {min(one_clock) / min(two_clock):.2f}x")
    print(f"lxml from Python              {min(lxml_seconds):7.2f} s "
          f"{megabytes / min(lxml_seconds):6.0f} MB/s  "
          f"{min(lxml_seconds) / min(one):.2f}x trommel extract")


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""mutations.py [OPTION...]: real sites change, and the system goes on.

  --trommel=FILE   the program (build/release/trommel)
  --data=DIR       folders of sites ($TROMMEL_DATA/swde, ../shared/data/swde)
  --site=NAME      only this site; repeats
  --kind=NAME      only this kind of change (see mutate.py); repeats
  --pages=N        of each site (100)
  --jobs=N         sites at a time (2)
  --work=DIR       where to work; kept (else a temporary folder, removed)
  --check          fail unless breaks are flagged and reuse brings nothing wrong

Of each site rules are learnt (swde.sh); then the site is changed. A site is
broken if most of its pages lose a value or get another one; monitoring has to
flag it, and reuse has to come by rules that give the values back, without a
person. A site is hurt if more than 5% of its pages are; reuse should mend it,
but for monitoring a minority of pages is no break (coverage and drift see it in
larger crawls). Prints a table by kind of change, with strict F1 before the
change, after it with the old rules, and with those that reuse gave.
Exit code 77 when there are no data.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/testing"))
from table_rows import rows  # pylint: disable=wrong-import-position

KINDS = ["class_rename", "wrapper_added", "attribute_removed", "section_moved",
         "label_changed"]
BROKEN = 0.5
HURT = 0.05


class Site:
    """One site: its folder in `work`, and what became of it."""

    def __init__(self, options, name):
        self.options = options
        self.name = name
        self.folder = options.work / name
        self.data = options.work / "data" / name
        self.learnt = options.work / "learnt" / name

    def run(self, *arguments):
        """The JSON that a verb prints."""
        done = subprocess.run(
            [self.options.trommel, *map(str, arguments), "--json"],
            capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"{self.name}: {arguments[0]}: {done.stderr}")
        return json.loads(done.stdout)

    def mutate(self, kind, out):
        subprocess.run([HERE / "mutate.py", kind,
                        self.options.data / self.name / "crawl", out,
                        str(self.options.pages)], check=True)

    def learn(self):
        self.mutate("none", self.data / "crawl")
        urls = {row["url"] for row in rows(self.data / "crawl", ["url"])}
        with open(self.options.data / self.name / "truth.jsonl",
                  encoding="utf-8") as lines:
            (self.data / "truth.jsonl").write_text(
                "".join(line for line in lines
                        if json.loads(line)["url"] in urls), encoding="utf-8")
        subprocess.run(
            [HERE / "swde.sh", f"--trommel={self.options.trommel}",
             f"--data={self.options.work}/data", f"--site={self.name}",
             f"--work={self.learnt.parent / ('of-' + self.name)}"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (self.learnt.parent / ("of-" + self.name) / self.name).rename(
            self.learnt)

    def score(self, crawl, rules, out):
        self.run("extract", f"--crawl={crawl}", f"--rules={rules}",
                 f"--out={out}", "--workers=1")
        if not list(out.glob("records/schema=*")):  # no rule is left
            return {"precision": 1.0, "recall": 0.0, "f1": 0.0}
        scores = self.run(
            "eval", f"--records={out}", f"--truth={self.data}/truth.jsonl",
            f"--exclude={self.learnt}/annotations.jsonl",
            f"--schema={self.learnt}/schema.textproto")
        return scores["overall"]["strict"]

    def change(self, kind):
        crawl = self.folder / kind / "crawl"
        self.mutate(kind, crawl)
        work = crawl.parent
        before = self.score(self.data / "crawl", self.learnt / "rules",
                            work / "before")
        broken = self.score(crawl, self.learnt / "rules", work / "broken")
        verdict = self.run(
            "monitor", f"--crawl={crawl}", f"--rules={self.learnt}/rules",
            f"--records-before={work}/before", f"--records-after={work}/broken",
            f"--out={work}/monitored", "--workers=1")
        self.run("cluster", f"--crawl={crawl}", f"--out={work}/clusters",
                 "--workers=1")
        reused = self.run(
            "reuse", f"--rules={self.learnt}/rules",
            f"--old-clusters={self.learnt}/clusters",
            f"--old-crawl={self.data}/crawl",
            f"--new-clusters={work}/clusters", f"--new-crawl={crawl}",
            f"--out={work}/rules", "--workers=1")
        after = self.score(crawl, work / "rules", work / "after")
        return {"site": self.name, "kind": kind, "before": before,
                "broken": broken, "after": after, "verdict": verdict,
                "reused": reused,
                "worse": worse_pages(work / "before", work / "broken"),
                "worse_after": worse_pages(work / "before", work / "after")}


def records_of(folder):
    return {row["url"]: row for table in folder.glob("records/schema=*")
            for row in rows(table)}


FIXED = {"url", "site", "cluster_id", "rule_id", "record_index", "fetch_time",
         "content_digest", "confidence", "attribute_confidence"}


def worse_pages(before, after):
    """The share of pages with a value that is gone or another one."""
    old, new = records_of(before), records_of(after)

    def is_worse(url, record):
        now = new.get(url, {})
        return any(value and now.get(name) != value
                   for name, value in record.items() if name not in FIXED)

    return sum(is_worse(*one) for one in old.items()) / max(len(old), 1)


def is_flagged(verdict):
    """Whether monitoring would have a person, or reuse, look at the site."""
    return verdict["rules"]["broken"] > 0 or verdict["attributes"]["drifted"] > 0


class Row:
    """A kind of change, over the sites."""

    def __init__(self, kind, outcomes):
        self.kind = kind
        self.outcomes = outcomes
        broken = [one for one in outcomes if one["worse"] > BROKEN]
        hurt = [one for one in outcomes if one["worse"] > HURT]
        self.broken, self.hurt = len(broken), len(hurt)
        self.missed = [one["site"] for one in broken
                       if not is_flagged(one["verdict"])]
        self.others_flagged = sum(is_flagged(one["verdict"])
                                  for one in outcomes if one not in broken)
        self.unrepaired = [one["site"] for one in outcomes
                           if one["worse_after"] > HURT]
        self.mended = sum(one["worse_after"] <= HURT for one in hurt)
        self.wrong = [one["site"] for one in outcomes
                      if one["before"]["precision"] - one["after"]["precision"]
                      > HURT]

    def mean(self, when):
        return (sum(one[when]["f1"] for one in self.outcomes) /
                len(self.outcomes))

    def text(self):
        return (f"{self.kind:18} {len(self.outcomes):5} {self.broken:6}"
                f" {self.broken - len(self.missed):7}"
                f" {self.others_flagged:6} {self.hurt:5} {self.mended:6}"
                f" {self.mean('before'):9.4f} {self.mean('broken'):9.4f}"
                f" {self.mean('after'):9.4f}")


def all_outcomes(options, names):
    sites = [Site(options, name) for name in names]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(Site.learn, sites))
        print(f"rules of {len(sites)} sites are learnt", file=sys.stderr)
        tasks = [(site, kind) for site in sites for kind in options.kind]
        return list(pool.map(lambda task: task[0].change(task[1]), tasks))


def report(options, outcomes):
    print(f"{'change':18} {'sites':>5} {'broken':>6} {'flagged':>7}"
          f" {'others':>6} {'hurt':>5} {'mended':>6} {'before':>9}"
          f" {'old rules':>9} {'reuse':>9}")
    failed = False
    for kind in options.kind:
        row = Row(kind, [one for one in outcomes if one["kind"] == kind])
        print(row.text())
        for what in ("missed", "unrepaired", "wrong"):
            if getattr(row, what):
                print(f"  {what}: {', '.join(getattr(row, what))}")
        failed |= bool(row.missed or row.wrong)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trommel", default=ROOT / "build/release/trommel")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(
        os.environ.get("TROMMEL_DATA", ROOT.parent / "shared/data")) / "swde")
    parser.add_argument("--site", action="append")
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"SKIPPED: no real sites in {options.data}; set TROMMEL_DATA",
              file=sys.stderr)
        sys.exit(77)
    options.kind = options.kind or KINDS
    names = options.site or sorted(
        path.parent.name for path in options.data.glob("*/truth.jsonl"))
    with tempfile.TemporaryDirectory() as temporary:
        options.work = options.work or pathlib.Path(temporary)
        options.work.mkdir(parents=True, exist_ok=True)
        (options.work / "learnt").mkdir()
        failed = report(options, all_outcomes(options, names))
    sys.exit(1 if failed and options.check else 0)


if __name__ == "__main__":
    main()

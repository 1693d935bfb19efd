#!/usr/bin/python3
"""generated_web_test.py TROMMEL SOURCE_DIR: `trommel monitor` on a generated web
with planned changes, day by day. Rules are learnt on the first day from the
truth of the pages that `learn` asks for. On every day the verdict on each rule
is compared with what extraction gives: a rule is to be broken exactly if it is
wrong on the majority of the pages of its template, by the truth."""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TROMMEL, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tests/testing"))
from table_rows import rows  # pylint: disable=wrong-import-position

SCHEMA = ROOT / "schemas/movie.textproto"
DETAILS = ("detail", "special")
TEMPLATES = """
  template { kind: "detail" name: "detail" weight: 4 }
  template { kind: "detail" name: "special" weight: 3 }
  template { kind: "help" weight: 1 }
"""
SPEC = f"""
seed: 31
days: 4
site {{ host: "same.example" vertical: "movie" pages: 160 daily_turnover: 0.05
  {TEMPLATES} }}
site {{ host: "redesign.example" vertical: "movie" pages: 160 {TEMPLATES}
  change {{ kind: REDESIGN day: 2 }} }}
site {{ host: "part.example" vertical: "movie" pages: 160 {TEMPLATES}
  change {{ kind: REDESIGN day: 1 template: "special" }} }}
site {{ host: "rename.example" vertical: "movie" pages: 160 {TEMPLATES}
  change {{ kind: CLASS_RENAME day: 1 }} }}
site {{ host: "label{{n}}.example" count: 4 vertical: "movie" pages: 120
  change {{ kind: LABEL_CHANGED day: 3 }} }}
site {{ host: "wrapper.example" vertical: "movie" pages: 160 {TEMPLATES}
  change {{ kind: WRAPPER_ADDED day: 2 }} }}
"""
# What the plan says for certain: sites that change, from which day on.
PLANNED = {"redesign.example": 2, "part.example": 1, "same.example": None}


def trommel(*arguments, codes=(0,)):
    result = subprocess.run([TROMMEL, *map(str, arguments)],
                            capture_output=True, text=True, check=False)
    assert result.returncode in codes, (arguments, result.stderr)
    return result


def lines_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def attributes():
    text = SCHEMA.read_text(encoding="utf-8")
    blocks = re.findall(r"attribute\s*\{([^}]*)\}", text)
    return {re.search(r'name:\s*"([^"]+)"', block).group(1):
            "constant: true" in block for block in blocks}


def learn(work, truth):
    """Asks and answers until nothing is asked any more."""
    annotations = work / "annotations.jsonl"
    annotations.write_text("")
    for _ in range(8):
        trommel("learn", f"--samples={work}/samples", f"--schema={SCHEMA}",
                f"--annotations={annotations}", f"--out={work}/rules", "--force")
        asked = [line["next_url"] for line in lines_of(work / "rules/status.jsonl")
                 if line["status"] == "needs_annotation"]
        if not asked:
            return
        with annotations.open("a", encoding="utf-8") as out:
            for url in asked:
                values = truth[url]["values"]
                if truth[url]["template"] not in DETAILS:
                    print(json.dumps({"url": url, "skip": True}), file=out)
                    continue
                for name in attributes():
                    for value in values.get(name, ()):
                        print(json.dumps({"url": url, "attribute": name,
                                          "value": value}), file=out)
                    if name not in values:
                        print(json.dumps({"url": url, "attribute": name,
                                          "absent": True}), file=out)


def as_set(value):
    if value is None:
        return set()
    values = value if isinstance(value, list) else [value]
    return {" ".join(v.split()) for v in values}


def wrong_shares(work, day, truth, cluster_of):
    """By (site, cluster): the share of its first day's pages that are still
    crawled and whose records are missing or wrong."""
    trommel("extract", f"--crawl={day}/crawl", f"--rules={work}/rules",
            f"--out={work}/records", "--force")
    records = {row["url"]: row for row in rows(work / "records/records/schema=movie")}
    counts = collections.defaultdict(lambda: [0, 0])
    for url, page in truth.items():
        if url not in cluster_of or page["template"] not in DETAILS:
            continue
        record = records.get(url)
        is_right = record is not None and all(
            as_set(record[name]) == as_set(page["values"].get(name))
            for name in attributes())
        count = counts[(page["site"], cluster_of[url])]
        count[0] += 0 if is_right else 1
        count[1] += 1
    return {key: wrong / all_of for key, (wrong, all_of) in counts.items()}


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "spec.textproto").write_text(SPEC)
        trommel("generate", f"--spec={work}/spec.textproto", f"--out={work}/web")
        days = sorted((work / "web").glob("day=*"))
        truths = [{line["url"]: line for line in lines_of(day / "truth.jsonl")}
                  for day in days]
        trommel("cluster", f"--crawl={days[0]}/crawl", f"--out={work}/clusters")
        trommel("sample", f"--crawl={days[0]}/crawl",
                f"--clusters={work}/clusters", "--annotate-pages=false",
                f"--out={work}/samples")
        learn(work, truths[0])
        cluster_of = {row["url"]: row["cluster_id"]
                      for row in rows(work / "clusters/assignments")}
        templates = collections.defaultdict(set)  # by cluster
        for url, page in truths[0].items():
            templates[cluster_of.get(url)].add(page["template"])

        compared = 0
        unchanged_signatures = 0  # of broken rules
        for number, day in enumerate(days):
            result = trommel("monitor", f"--crawl={day}/crawl",
                             f"--rules={work}/rules", f"--out={work}/monitor",
                             "--force", "--fail-on-break", codes=(0, 3))
            verdicts = {(row["site"], row["cluster_id"]): row
                        for row in rows(work / "monitor/rules")}
            broken_sites = {site for (site, _), row in verdicts.items()
                            if row["verdict"] == "broken"}
            assert (result.returncode == 3) == bool(broken_sites), result
            wrong = wrong_shares(work, day, truths[number], cluster_of)
            for key, row in sorted(verdicts.items()):
                share = wrong[key]
                print(number, *key, sorted(templates[key[1]]), row["verdict"],
                      f"wrong {share:.2f}", row["reasons"])
                assert row["verdict"] != "unknown", row
                assert (row["verdict"] == "broken") == (share > 0.5), (key, share)
                compared += 1
                unchanged_signatures += (row["verdict"] == "broken" and
                                         row["signature_changed"] == 0)
                if key[0] == "part.example" and row["verdict"] == "broken":
                    assert templates[key[1]] == {"special"}, key
            for site, first in PLANNED.items():
                expected = first is not None and number >= first
                assert (site in broken_sites) == expected, (number, site)
            flagged = (work / "monitor/flagged_sites.txt").read_text().split()
            assert set(flagged) == broken_sites, flagged
        assert compared >= 4 * 14, compared
        assert unchanged_signatures > 0, "labels that rules went by changed"
        print(f"ok: {compared} verdicts agree with the truth")


main()

#!/usr/bin/python3
"""The web of reuse_changes.sh, and what is to come of it.

  change_web.py spec SEED    the spec of `trommel generate`
  change_web.py sites        its sites: VERTICAL HOST CHANGE
  change_web.py check WORK   compares records and decisions with the truth
"""
import collections
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "testing"))
from table_rows import rows  # pylint: disable=wrong-import-position

CHANGES = ["NONE", "CLASS_RENAME", "WRAPPER_ADDED", "SECTION_MOVED",
           "LABEL_CHANGED", "ATTRIBUTE_REMOVED", "REDESIGN"]
SCOPES = ["all", "detail"]
VERTICALS = ["movie", "camera"]


def sites():
    for vertical in VERTICALS:
        for change in CHANGES:
            for scope in SCOPES:
                for turnover in (0, 0.2):
                    host = (f"{scope}{'-turnover' if turnover else ''}."
                            f"{change.lower().replace('_', '-')}.{vertical}.example")
                    yield vertical, host, change, scope, turnover


def print_spec(seed):
    print(f'seed: {seed}\nstart_date: "2026-01-01"\ndays: 2')
    for vertical, host, change, scope, turnover in sites():
        lines = [f'host: "{host}" vertical: "{vertical}" pages: 160',
                 'template { kind: "detail" weight: 6 }',
                 'template { kind: "list" weight: 2 }',
                 'template { kind: "help" weight: 2 }',
                 f"daily_turnover: {turnover}"]
        if change != "NONE":
            only = ' template: "detail"' if scope == "detail" else ""
            lines.append(f"change {{ kind: {change} day: 1{only} }}")
        print("site {\n  " + "\n  ".join(lines) + "\n}")


def normalized(value):
    return " ".join(value.split())


def lines_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Tally:
    """Of the sites of one kind of change."""
    def __init__(self):
        self.sites = self.kept = self.values = self.right = self.known = self.true = 0
        self.decisions = collections.Counter()


def wrong_values(record, page, attributes):
    """Pairs of an attribute and its values where these are not the truth, and
    the number of attributes with values."""
    wrong, filled = [], 0
    for name in attributes:
        got = record.get(name)
        if not got:
            continue
        filled += 1
        got = tuple(sorted(normalized(v) for v in (got if isinstance(got, list) else [got])))
        if page["template"] != "detail" or \
                not set(got) <= {normalized(v) for v in page["values"].get(name, [])}:
            wrong.append((name, got))
    return wrong, filled


def read_records(work, vertical, folder):
    records = collections.defaultdict(list)
    for record in rows(work / vertical / folder / f"records/schema={vertical}"):
        records[record["site"]].append(record)
    return records


def read_truth(work, day):
    return {line["url"]: line
            for line in lines_of(work / f"web/day=2026-01-0{day}/truth.jsonl")}


def check(work):
    before, truth = read_truth(work, 1), read_truth(work, 2)
    tallies = collections.defaultdict(Tally)
    problems = []
    for vertical in VERTICALS:
        attributes = schema_attributes(work, vertical)
        old_records = read_records(work, vertical, "old_records")
        records = read_records(work, vertical, "records")
        decisions = collections.defaultdict(list)
        for row in rows(work / vertical / "reused/decisions"):
            decisions[row["site"]].append(row)
        for site_vertical, host, change, _, _ in sites():
            if site_vertical == vertical:
                problems += check_site(host, change, attributes, before, truth,
                                       old_records[host], records[host],
                                       decisions[host], tallies[change])
    return print_table(tallies, problems)


def check_site(host, change, attributes, before, truth, old_records, records,
               decisions, tally):
    problems = []
    # What the rules got wrong on the first day is not for reuse to put right.
    known, flawed = set(), set()
    for record in old_records:
        for name, got in wrong_values(record, before[record["url"]], attributes)[0]:
            known.add((record["url"], name, got))
            flawed.add(name)
    tally.sites += 1
    counts = collections.Counter(row["decision"] for row in decisions)
    tally.decisions.update(counts)
    tally.kept += counts["annotate"] == 0
    for row in decisions:
        if row["decision"] == "annotate":
            print(f"  {host}: {row['reason']}")
    if change == "NONE" and (counts["annotate"] or counts["repaired"]):
        problems.append(f"{host} did not change: {dict(counts)}")
    for page in truth.values():
        if page["site"] == host and page["template"] == "detail":
            tally.true += sum(bool(page["values"].get(name)) for name in attributes)
    for record in records:
        wrong, filled = wrong_values(record, truth[record["url"]], attributes)
        tally.values += filled
        tally.right += filled - len(wrong)
        for name, got in wrong:
            if (record["url"], name, got) in known or \
                    (record["url"] not in before and name in flawed):
                tally.known += 1
            else:
                problems.append(f"{record['url']} {name}: {got}, not "
                                f"{truth[record['url']]['values'].get(name)}")
    return problems


def print_table(tallies, problems):
    print(f"{'change':18} {'sites':>5} {'kept':>5} {'reused':>6} {'repaired':>8} "
          f"{'annotate':>8} {'values':>7} {'wrong before':>12} {'newly wrong':>11} {'recall':>7}")
    for change in CHANGES:
        tally = tallies[change]
        print(f"{change:18} {tally.sites:5} {tally.kept:5} {tally.decisions['reused']:6} "
              f"{tally.decisions['repaired']:8} {tally.decisions['annotate']:8} "
              f"{tally.values:7} {tally.known:12} "
              f"{tally.values - tally.right - tally.known:11} "
              f"{tally.right / max(tally.true, 1):7.4f}")
    changed = [tallies[change] for change in CHANGES[1:]]
    kept = sum(t.kept for t in changed)
    total = sum(t.sites for t in changed)
    print(f"changed sites that go on without an annotation: {kept} of {total}")
    if kept < 0.9 * total:
        problems.append("too many changed sites need annotations")
    for problem in problems[:20]:
        print("problem:", problem)
    return not problems


def schema_attributes(work, vertical):
    text = (work / f"web/schemas/{vertical}.textproto").read_text()
    return re.findall(r'attribute\s*\{\s*name:\s*"([^"]+)"', text)


def main():
    if sys.argv[1] == "spec":
        print_spec(int(sys.argv[2]))
    elif sys.argv[1] == "sites":
        for vertical, host, change, _, _ in sites():
            print(vertical, host, change)
    else:
        sys.exit(0 if check(pathlib.Path(sys.argv[2])) else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""life_cycle.py [OPTION...]: a month of nights on a generated web that changes.

  --trommel=FILE   the program (build/release/trommel)
  --days=N --sites=N --pages=N --seed=N   the web (30, 43, 60, 1)
  --work=DIR       where to work; kept (else a temporary folder, removed)
  --check          fail where the figures are less than they have to be

On the first day rules are learnt from simulated annotations. Every night after
it the crawl is clustered, the rules are watched (monitor), carried over or
repaired (reuse), and applied (extract). What was planned to change, and the
truth of every page, say what should have happened:

  broken     a template whose pages are mostly wrong with yesterday's rule
  flagged    a rule that monitor calls broken
  kept       a rule that was not broken and still extracts its template
  repaired   a broken template that is extracted again without an annotation

At the end come the figures, with the changes that `trommel coverage` sees in
the month at a drop of 10%. A template that is not repaired is left out from
then on; a figure of nothing is a failure.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "deploy"), str(ROOT / "tests/testing")]
import annotate_from_truth  # pylint: disable=wrong-import-position
from table_rows import rows  # pylint: disable=wrong-import-position

VERTICALS = ["movie", "book", "restaurant"]
TEMPLATES = ["detail", "special"]  # those with records
# What happens to the sites, in turn; "" is nothing, a "*" concerns one template
# only. As in the paper, about half of the sites stay as they are.
FATES = ["REDESIGN", "", "CLASS_RENAME", "", "REDESIGN*", "", "WRAPPER_ADDED",
         "", "SECTION_MOVED", "", "LABEL_CHANGED", "", "ATTRIBUTE_REMOVED",
         "REDESIGN REDESIGN", "CLASS_RENAME*", "",
         "WRAPPER_ADDED LABEL_CHANGED CLASS_RENAME REDESIGN", ""]
MOSTLY = 0.5


class Web:
    """What is planned, and the truth of each day."""

    def __init__(self, options):
        rng = random.Random(options.seed)
        self.changes = collections.defaultdict(list)  # by site and day
        self.vertical = {}
        spec = [f"seed: {options.seed}", 'start_date: "2026-01-01"',
                f"days: {options.days}"]
        for number in range(options.sites):
            host = f"www.s{number}.example"
            self.vertical[host] = VERTICALS[number % len(VERTICALS)]
            spec.append(
                f'site {{ host: "{host}" vertical: "{self.vertical[host]}" '
                f"pages: {options.pages} daily_turnover: "
                f"{rng.choice([0, 0.01, 0.02])} "
                'template { kind: "detail" weight: 4 } '
                'template { kind: "detail" name: "special" weight: 4 } '
                'template { kind: "list" } template { kind: "help" }')
            fate = FATES[number % len(FATES)].split()
            days = sorted(rng.sample(range(1, options.days), len(fate)))
            for kind, day in zip(fate, days):
                templates = ["special"] if kind.endswith("*") else []
                kind = kind.rstrip("*")
                self.changes[host, day].append((kind, templates or TEMPLATES))
                spec.append(
                    f"change {{ kind: {kind} day: {day} " +
                    "".join(f'template: "{name}" ' for name in templates) + "}")
            spec.append("}")
        self.folder = options.work / "web"
        (options.work / "spec.textproto").write_text("\n".join(spec))
        self.days = []

    def open(self):
        self.days = sorted(self.folder.glob("day=*"))

    def crawl(self, day):
        return self.days[day] / "crawl"

    def truth(self, day):
        return annotate_from_truth.details_of(self.days[day] / "truth.jsonl")

    def templates(self, day):
        """URL to (site, template)."""
        return {line["url"]: (line["site"], line["template"])
                for line in annotate_from_truth.lines_of(
                    self.days[day] / "truth.jsonl")}


def normal(values):
    if values is None:
        return []
    values = values if isinstance(values, list) else [values]
    return sorted(" ".join(value.split()) for value in values)


class Scores:
    """The records of a day against its truth."""

    def __init__(self, web, day, records):
        found = {row["url"]: row for table in pathlib.Path(records).glob(
            "records/schema=*") for row in rows(table)}
        templates = web.templates(day)
        self.pages = collections.Counter()
        self.records = collections.Counter()
        self.right = collections.Counter()
        self.right_values = set()  # (URL, attribute)
        self.wrong_values = set()
        for url, truth in web.truth(day).items():
            where = templates[url]
            self.pages[where] += 1
            record = found.pop(url, None)
            self.records[where] += record is not None
            wrong = [] if record is None else [
                name for name, values in truth.items()
                if normal(record.get(name)) and
                normal(record.get(name)) != normal(values)]
            missing = record is None or any(
                normal(values) and not normal(record.get(name))
                for name, values in truth.items())
            self.right[where] += not wrong and not missing
            self.wrong_values.update((url, name) for name in wrong)
            self.right_values.update(
                (url, name) for name in truth
                if record is not None and name not in wrong and
                normal(record.get(name)))
        self.strangers = len(found)  # records of pages that have none

    def newly_wrong(self, before):
        return self.wrong_values & before.right_values

    def extracts(self, where):
        return self.records[where] > MOSTLY * self.pages[where]

    def works(self, where):
        return self.right[where] > MOSTLY * self.pages[where]


class LifeCycle:
    def __init__(self, options):
        self.options = options
        self.work = options.work
        self.web = Web(options)
        self.rules = {}  # by vertical
        self.totals = collections.Counter()
        self.problems = []

    def run(self, *arguments):
        done = subprocess.run(
            [str(self.options.trommel), *map(str, arguments), "--json"],
            capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(map(str, arguments))}\n{done.stderr}")
        return json.loads(done.stdout)

    def extract(self, day, rules, out):
        self.run("extract", f"--crawl={self.web.crawl(day)}", f"--out={out}",
                 *(f"--rules={folder}" for folder in rules.values()))
        return Scores(self.web, day, out)

    def cluster(self, day):
        self.run("cluster", f"--crawl={self.web.crawl(day)}",
                 f"--out={self.work}/clusters-{day}")

    # The first day.

    def learn(self):
        self.run("generate", f"--spec={self.work}/spec.textproto",
                 f"--out={self.web.folder}")
        self.web.open()
        self.cluster(0)
        self.run("sample", f"--crawl={self.web.crawl(0)}",
                 f"--clusters={self.work}/clusters-0",
                 f"--out={self.work}/samples", "--annotate-pages=false")
        for vertical in VERTICALS:
            self.learn_vertical(vertical)

    def learn_vertical(self, vertical):
        schema = self.web.folder / "schemas" / f"{vertical}.textproto"
        sites = self.work / f"{vertical}.sites"
        sites.write_text("".join(
            f"{site}\n" for site, of in self.web.vertical.items()
            if of == vertical))
        annotations = self.work / f"{vertical}.jsonl"
        annotations.write_text("")
        rules = self.work / f"rules-0-{vertical}"
        self.rules[vertical] = rules
        for _ in range(8):
            self.run("learn", f"--samples={self.work}/samples",
                     f"--annotations={annotations}", f"--schema={schema}",
                     f"--sites={sites}", f"--out={rules}", "--force")
            lines = subprocess.run(
                [ROOT / "deploy/annotate_from_truth.py",
                 self.web.days[0] / "truth.jsonl", schema,
                 rules / "status.jsonl"],
                check=True, capture_output=True, text=True).stdout
            if not lines:
                return
            with open(annotations, "a", encoding="utf-8") as out:
                out.write(lines)

    # A night.

    def reuse(self, day):
        new_rules = {}
        for vertical, rules in self.rules.items():
            out = self.work / f"rules-{day}-{vertical}"
            new_rules[vertical] = out
            report = self.run(
                "reuse", f"--rules={rules}",
                f"--old-clusters={self.work}/clusters-{day - 1}",
                f"--old-crawl={self.web.crawl(day - 1)}",
                f"--new-clusters={self.work}/clusters-{day}",
                f"--new-crawl={self.web.crawl(day)}",
                f"--sites={self.work}/{vertical}.sites", f"--out={out}")
            self.totals["rules_before"] += report["rules_before"]
            self.totals["by_cluster_match"] += (
                report["rules_reused_by_cluster_match"])
        return new_rules

    def flagged_templates(self, day, monitored):
        """(site, template) of the broken rules, by their bellwethers."""
        templates = self.web.templates(day)
        counts = collections.defaultdict(collections.Counter)
        for row in rows(monitored / "bellwethers"):
            if row["url"] in templates:
                counts[row["rule_id"]][templates[row["url"]]] += 1
        return {counts[row["rule_id"]].most_common(1)[0][0]
                for row in rows(monitored / "rules")
                if row["verdict"] == "broken" and counts[row["rule_id"]]}

    def night(self, day, before, yesterday):
        """`before`: the templates that had a rule that worked, `yesterday`: the
        scores. Returns the same of today."""
        self.cluster(day)
        monitored = self.work / f"monitored-{day}"
        self.run("monitor", f"--crawl={self.web.crawl(day)}",
                 f"--out={monitored}",
                 *(f"--rules={folder}" for folder in self.rules.values()))
        old = self.extract(day, self.rules, self.work / f"old-{day}")
        self.rules = self.reuse(day)
        new = self.extract(day, self.rules, self.work / f"records-{day}")
        broken = {where for where in before if not old.works(where)}
        flagged = self.flagged_templates(day, monitored) & before
        working = {where for where in new.pages if new.works(where)}
        self.totals["broken"] += len(broken)
        self.totals["flagged"] += len(flagged)
        self.totals["flagged_broken"] += len(broken & flagged)
        self.totals["repaired"] += len(broken & working)
        changed = {(site, name) for site in self.web.vertical
                   for _, names in self.web.changes.get((site, day), [])
                   for name in names} & before
        self.totals["changed"] += len(changed)
        self.totals["went_on"] += len(changed & working)
        self.totals["sound"] += len(before - broken)
        self.totals["kept_in_vain"] += sum(
            new.extracts(where) for where in before - working)
        self.totals["kept"] += len((before - broken) & working)
        self.totals["values"] += len(new.right_values | new.wrong_values)
        self.totals["wrong_values"] += len(new.wrong_values)
        self.totals["newly_wrong"] += len(new.newly_wrong(yesterday))
        self.totals["strangers"] += new.strangers
        self.check_plan(day, broken, flagged)
        print(f"day {day:2}: {len(broken):2} broken, {len(flagged):2} flagged, "
              f"{len(broken & working):2} repaired; "
              f"{len(new.newly_wrong(yesterday))} values newly wrong",
              flush=True)
        return working & before, new

    def check_plan(self, day, broken, flagged):
        """Against what was planned, whatever extraction says."""
        for site in self.web.vertical:
            planned = self.web.changes.get((site, day), [])
            changed = {name for _, names in planned for name in names}
            flagged_here = {name for where, name in flagged if where == site}
            for name in flagged_here - changed:
                self.problems.append(f"day {day}: {site} {name} was flagged "
                                     "and had not changed")
            for kind, names in planned:
                self.totals["changes"] += len(names)
                for name in set(names) - flagged_here:
                    if kind == "REDESIGN" and (site, name) in broken:
                        self.problems.append(
                            f"day {day}: the redesign of {site} {name} was "
                            "not flagged")

    def coverage(self):
        """Change events of the month at a drop of 10%, against the plan."""
        out = self.work / "coverage"
        self.run("coverage", f"--clusters={self.work}/clusters-0",
                 f"--out={out}",
                 *(f"--crawl={day / 'crawl'}" for day in self.web.days))
        number = {day.name.partition("=")[2]: i
                  for i, day in enumerate(self.web.days)}
        events = {(row["site"], number[str(row["day"])])
                  for row in rows(out / "coverage")
                  if row["change"] and row["counting"] == "placed" and
                  row["threshold"] == 10}
        redesigns = {where for where, planned in self.web.changes.items()
                     if any(kind == "REDESIGN" for kind, _ in planned)}
        self.totals["events"] = len(events)
        self.totals["events_planned"] = len(events & set(self.web.changes))
        self.totals["redesigns"] = len(redesigns)
        self.totals["redesigns_seen"] = len(events & redesigns)

    def finish(self, num_rules):
        self.coverage()
        total = self.totals

        def share(part, whole):
            return total[part] / total[whole] if total[whole] else 0.0

        figures = {
            "flags, precision": (share("flagged_broken", "flagged"), 0.98),
            "flags, recall": (share("flagged_broken", "broken"), 0.98),
            "change events, precision": (share("events_planned", "events"),
                                         0.98),
            "redesigns, recall": (share("redesigns_seen", "redesigns"), 0.98),
            "sound rules kept": (share("kept", "sound"), 0.98),
            "changed templates that go on": (share("went_on", "changed"), 0.90),
        }
        print(f"{num_rules} templates with rules, {total['changes']} planned "
              f"changes of templates, {total['broken']} broke extraction, "
              f"{total['repaired']} of these were repaired")
        for name, (value, least) in figures.items():
            print(f"{name:28} {value:.4f}  (at least {least})")
            if value < least:
                self.problems.append(f"{name}: {value:.4f}")
        print(f"reused by cluster match: {total['by_cluster_match']} of "
              f"{total['rules_before']} rules (the paper: 219 of 352)")
        print(f"values that were right the day before and became wrong: "
              f"{total['newly_wrong']} (wrong from the first day on, or on new "
              f"pages: {total['wrong_values'] - total['newly_wrong']} of "
              f"{total['values']}); records of other pages: "
              f"{total['strangers']}")
        print(f"rules that went on although they do not extract their "
              f"template: {total['kept_in_vain']}")
        if total["kept_in_vain"] > 0:
            self.problems.append("rules were kept that do not work")
        if total["newly_wrong"] + total["strangers"] > 0:
            self.problems.append("wrong values entered the records")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--trommel", default=ROOT / "build/release/trommel")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--sites", type=int, default=43)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        options.work = options.work or pathlib.Path(temporary)
        options.work.mkdir(parents=True, exist_ok=True)
        cycle = LifeCycle(options)
        cycle.learn()
        first = cycle.extract(0, cycle.rules, options.work / "records-0")
        working = {where for where in first.pages if first.works(where)}
        num_rules = len(working)
        print(f"day  0: {num_rules} of {len(first.pages)} templates have rules "
              "that work", flush=True)
        scores = first
        for day in range(1, options.days):
            working, scores = cycle.night(day, working, scores)
        cycle.finish(num_rules)
    for problem in cycle.problems:
        print(f"PROBLEM: {problem}")
    sys.exit(1 if cycle.problems and options.check else 0)


if __name__ == "__main__":
    main()

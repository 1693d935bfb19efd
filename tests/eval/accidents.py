#!/usr/bin/python3
"""accidents.py [OPTION...]: many nights with accidents, and what people get.

  --trommel=FILE   the program (build/release/trommel)
  --data=DIR       real sites ($TROMMEL_DATA/swde, ../shared/data/swde)
  --nights=N --sites=N --real=N --pages=N --seed=N
                   nights (60), generated (30) and real sites (36), pages of a
                   site (40)
  --vertical=NAME  only sites of this vertical; repeats
  --events=N       events of a site in all nights (2)
  --more-events=FILE.py   further kinds: a list EVENTS of classes derived from
                   accident_events.Event; --only-more: these alone
  --kind=KIND      only events of this kind; repeats
  --quick          18 nights, 4 generated and 4 real sites, 24 pages, movies
                   and books only, 4 events of a site
  --jobs=N         pipelines at a time (2)
  --work=DIR       where to work; kept (else a temporary folder, removed)
  --keep           keep the temporary folder; VERTICAL.jsonl has a line for
                   each site and night: events, alerts, counts, wrong values
  --json=FILE      the figures, for programs
  --check          fail where the figures are not what they have to be

Whole pipelines, one for each vertical, run night after night (`trommel run`).
The first nights are quiet. Then walls, errors, lost pages and values, changes
of design for good and for a night, and what is no accident at all befall sites
as the seed has planned it (accident_events.py). An editor who knows the truth
annotates by the next night what the pipeline asks for, three pages a site
(accident_pipeline.py). Counted is what people get, against what could be had
(accident_scores.py): values that are lost or wrong, harm that nobody was told
of, alarms without a reason, requests to annotate a wall.
"""
import argparse
import collections
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

import accident_events
import accident_pipeline
import accident_plan
import accident_scores
import accident_web

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDS = 5  # of annotating on the first night
MONTH, QUARTER = 30, 91


class Run:
    """The nights of one vertical."""

    def __init__(self, options, vertical, sites, classes):
        self.options = options
        self.vertical = vertical
        self.plan = accident_plan.Plan(options, vertical, sites, classes)
        self.oracle = accident_scores.Oracle(vertical)
        self.pipeline = accident_pipeline.Pipeline(
            options.trommel, options.work / vertical, vertical, sites)
        self.judge = accident_scores.Judge(self.plan, self.oracle)
        self.alerts, self.news = {}, {}

    def first_night(self, pipeline, pages):
        """Learns rules; the editor of it."""
        editor = accident_pipeline.Editor(pipeline)
        editor.serve(0, pages)
        pipeline.crawl(0, pages)
        for _ in range(ROUNDS):
            if not editor.answer(pipeline.run(0)):
                break
        pipeline.run(0)
        return editor

    def learn_hard_designs(self):
        """What is right on quiet sites in the designs that come."""
        sites = collections.defaultdict(set)
        for site in self.plan.sites:
            for night in range(self.plan.nights):
                for page in self.plan.served(site, night):
                    if accident_web.hard(page.design):
                        sites[accident_web.hard(page.design)].add(site)
        for design, some in sorted(sites.items()):
            some = sorted(some, key=lambda site: site.name)
            pipeline = accident_pipeline.Pipeline(
                self.options.trommel, self.options.work /
                f"{self.vertical}-{'-'.join(design)}", self.vertical, some)
            self.first_night(pipeline, [
                site.page(url, design) for site in some
                for _, url in site.window(0, 1)])
            self.learn_plain(pipeline, design, some)

    def learn_plain(self, pipeline, design, sites):
        pages = [site.page(url, design) for site in sites
                 for url in site.urls()]
        self.oracle.learn(design, pages, pipeline.extract_now(
            pages, "-".join(design) or "first"))

    def pages(self, night):
        """By name of the site."""
        return {site.name: self.plan.served(site, night)
                for site in self.plan.sites}

    def run(self):
        began = time.monotonic()
        self.learn_hard_designs()
        pages = self.pages(0)
        editor = self.first_night(self.pipeline, sum(pages.values(), []))
        for night in range(1, self.plan.nights):
            pages = sum(self.pages(night).values(), [])
            editor.serve(night, pages)
            self.pipeline.crawl(night, pages)
            self.alerts[night] = self.pipeline.run(night, may_fail=not pages)
            self.news[night] = editor.answer(self.alerts[night])
            if night == self.plan.QUIET - 1:
                self.learn_plain(self.pipeline, (), self.plan.sites)
        for night in range(1, self.plan.nights):
            self.judge.night(night, self.pages(night),
                             self.pipeline.records(night), self.alerts[night],
                             self.news[night])
        print(f"{self.vertical}: {len(self.plan.sites)} sites, "
              f"{len(self.plan.events)} events, "
              f"{time.monotonic() - began:.0f} s", file=sys.stderr)
        return self

    def plain_values(self):
        """Whether a value could be had: of the first designs, and of those
        that rules have to be learnt for."""
        found = {True: collections.Counter(), False: collections.Counter()}
        for design, urls in self.oracle.plain.items():
            for site in self.plan.sites:
                for page in (site.page(url, design) for url in site.urls()
                             if url in urls):
                    had = self.oracle.can_be_had(page)
                    found[not design].update(
                        name in had for name, values in
                        (page.truth or {}).items() if values)
        return found


class Row:
    """A kind of event, over all pipelines."""

    def __init__(self, kind, outcomes):
        self.kind = kind
        self.outcomes = outcomes
        self.score = accident_scores.Score()
        for one in outcomes:
            self.score += one.score
        self.harmful = [one for one in outcomes
                        if one.harmful_since is not None]
        self.noticed = [one for one in self.harmful if one.noticed is not None]
        self.at_once = [one for one in self.noticed
                        if one.noticed <= one.harmful_since]
        self.returned = [one for one in outcomes if one.is_back is not None]
        self.back = [one for one in self.returned if one.is_back]
        self.down_before = [one for one in self.returned
                            if not one.was_fine and not one.is_back]
        self.raised = sum(one.raised for one in outcomes)
        self.requests = sum(one.requests for one in outcomes)
        self.wall_requests = sum(one.wall_requests for one in outcomes)

    def nights_until_noticed(self):
        """The mean; "-" where nothing was."""
        if not self.noticed:
            return "-"
        nights = [max(one.noticed - one.harmful_since, 0)
                  for one in self.noticed]
        return f"{sum(nights) / len(nights):.1f}"

    def text(self):
        return (f"{self.kind:23} {len(self.outcomes):6}"
                f" {len(self.harmful):7} {len(self.at_once):7}"
                f" {self.nights_until_noticed():>6}"
                f" {len(self.returned):8} {len(self.back):5}"
                f" {len(self.down_before):6}"
                f" {self.score.had_records:8} {self.score.lost_records:7}"
                f" {self.score.lost_values:7} {self.score.wrong:6}"
                f" {self.raised:6} {self.requests:6} {self.wall_requests:6}")

    HEAD = (f"{'event':23} {'number':>6} {'harmful':>7} {'at once':>7}"
            f" {'nights':>6} {'returned':>8} {'back':>5} {'(down)':>6}"
            f" {'records':>8} {'lost':>7} {'values':>7} {'wrong':>6}"
            f" {'alerts':>6} {'asked':>6} {'walls':>6}")


def share(part, whole):
    return part / whole if whole else 0.0


class Report:
    """The figures of all pipelines."""

    def __init__(self, options, runs):
        self.options, self.runs = options, runs
        by_kind = collections.defaultdict(list)
        for run in runs:
            for one in run.judge.outcomes:
                by_kind[one.event.kind].append(one)
        self.rows = [Row(kind, outcomes)
                     for kind, outcomes in sorted(by_kind.items())]
        self.total = Row("all events", sum(by_kind.values(), []))
        self.quiet = Row("before any event", [run.judge.quiet for run in runs])
        self.score = accident_scores.Score()
        self.false_alarms = collections.Counter()
        for run in runs:
            self.score += run.judge.total
            self.false_alarms.update(run.judge.false_alarms)
        self.num_sites = sum(len(run.plan.sites) for run in runs)
        self.failures = [(run.vertical, *failure) for run in runs
                         for failure in run.pipeline.failures]

    def per_site(self, nights):
        return share(sum(self.false_alarms.values()),
                     self.num_sites * (self.options.nights - 1) / nights)

    def figures(self):
        """(name, value, threshold, whether more is better)."""
        plain = {True: collections.Counter(), False: collections.Counter()}
        for run in self.runs:
            for is_first, counts in run.plain_values().items():
                plain[is_first].update(counts)
        total, score = self.total, self.score
        harmless = sum(row.raised for row in self.rows)
        return [
            ("quiet sites: values that could be had",
             share(plain[True][True], plain[True].total()), 0.8, True),
            ("the same after a redesign",
             share(plain[False][True], plain[False].total())
             if plain[False] else 1.0, 0.6, True),
            ("sites back the night their pages are",
             share(len(total.back), len(total.returned))
             if total.returned else 1.0, 1.0, True),
            ("records lost, share",
             share(score.lost_records, score.had_records), 0.01, False),
            ("values lost, share",
             share(score.lost_values, score.had_values), 0.01, False),
            ("wrong values, share",
             share(score.wrong, score.delivered), 0.001, False),
            ("harmful events noticed the same night",
             share(len(total.at_once), len(total.harmful))
             if total.harmful else 1.0, 1.0, True),
            ("alerts of what is no accident", harmless, 0, False),
            ("false alarms, site and quarter", self.per_site(QUARTER), 1,
             False),
            ("requests to annotate a wall",
             total.wall_requests + self.quiet.wall_requests, 0, False),
            ("runs that failed", len(self.failures), 0, False),
        ]

    def print(self):
        print(Row.HEAD)
        for row in self.rows + [self.quiet, self.total]:
            print(row.text())
        print(f"\nfalse alarms per site and month: {self.per_site(MONTH):.2f}; "
              "by kind: " + (", ".join(
                  f"{kind} {count}" for kind, count in self.by_kind()) or
                  "none"))
        worst = collections.Counter()
        for (site, _), count in self.false_alarms.items():
            worst[site or "(no site)"] += count
        print("most of them: " + (", ".join(
            f"{site} {count}" for site, count in worst.most_common(3)) or
            "none"))
        print("nights of alerts that outlived their reason: "
              f"{sum(run.judge.stale for run in self.runs)}")
        for failure in self.failures[:10]:
            print("FAILED:", *failure)
        print()
        missed = []
        for name, value, threshold, is_least in self.figures():
            is_met = value >= threshold if is_least else value <= threshold
            words = "at least" if is_least else "at most"
            print(f"{name:40} {value:10.4f}  ({words} {threshold})"
                  f"{'' if is_met else '  MISSED'}")
            if not is_met:
                missed.append(name)
        return missed

    def by_kind(self):
        kinds = collections.Counter()
        for (_, kind), count in self.false_alarms.items():
            kinds[kind] += count
        return kinds.most_common()

    def write_diaries(self):
        for run in self.runs:
            with open(self.options.work / f"{run.vertical}.jsonl", "w",
                      encoding="utf-8") as out:
                for line in run.judge.diary:
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")

    def write_json(self, path):
        path.write_text(json.dumps({
            "figures": [{"name": name, "value": value, "threshold": threshold}
                        for name, value, threshold, _ in self.figures()],
            "events": [self.event_json(run, one) for run in self.runs
                       for one in run.judge.outcomes]}, indent=1) + "\n")

    def event_json(self, run, one):
        event = one.event
        return {"vertical": run.vertical, "kind": event.kind,
                "site": event.site.name if event.site else None,
                "first": accident_pipeline.date_of(event.first),
                "nights": event.num_nights,
                "harmful_since": one.harmful_since, "noticed": one.noticed,
                "was_fine": one.was_fine, "is_back": one.is_back,
                "raised": one.raised, "requests": one.requests,
                "wall_requests": one.wall_requests, **vars(one.score)}


def event_classes(options):
    classes = [] if options.only_more else list(accident_events.EVENTS)
    if options.more_events:
        spec = importlib.util.spec_from_file_location("more_events",
                                                      options.more_events)
        more = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(more)
        classes += more.EVENTS
    if options.kind:
        classes = [one for one in classes if one.kind in options.kind]
    if not classes:
        sys.exit("no kind of event is left")
    return classes


def parsed_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--trommel", default=ROOT / "build/release/trommel")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(
        os.environ.get("TROMMEL_DATA", ROOT.parent / "shared/data")) / "swde")
    for name, default in (("nights", 60), ("sites", 30), ("real", 36),
                          ("pages", 40), ("seed", 1), ("jobs", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--vertical", action="append",
                        choices=accident_web.VERTICALS)
    parser.add_argument("--events", type=float, default=2)
    parser.add_argument("--more-events", type=pathlib.Path)
    parser.add_argument("--only-more", action="store_true")
    parser.add_argument("--kind", action="append")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    if "--quick" in sys.argv:
        parser.set_defaults(nights=18, sites=4, real=4, pages=24, events=4,
                            vertical=["movie", "book"])
    options = parser.parse_args()
    options.vertical = options.vertical or accident_web.VERTICALS
    return options


def measure(options):
    """The names of the figures that miss their threshold."""
    classes = event_classes(options)
    by_vertical = accident_web.all_sites(options, options.work / "web")
    runs = [Run(options, vertical, sites, classes)
            for vertical, sites in sorted(by_vertical.items())]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = list(pool.map(Run.run, runs))
    report = Report(options, runs)
    report.write_diaries()
    missed = report.print()
    if options.json:
        report.write_json(options.json)
    return missed


def main():
    options = parsed_options()
    options.trommel = pathlib.Path(options.trommel).resolve()
    is_temporary = options.work is None
    options.work = options.work or pathlib.Path(tempfile.mkdtemp())
    options.work.mkdir(parents=True, exist_ok=True)
    options.work = options.work.resolve()
    if any(options.work.iterdir()):
        sys.exit(f"{options.work} is not empty")
    try:
        missed = measure(options)
    finally:
        if is_temporary and not options.keep:
            shutil.rmtree(options.work)
        else:
            print(f"working folder: {options.work}", file=sys.stderr)
    sys.exit(1 if missed and options.check else 0)


if __name__ == "__main__":
    main()

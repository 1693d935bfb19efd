#!/usr/bin/python3
"""shapes.py [OPTION...]: how often a rule is called done and is wrong.

  --trommel=FILE   the program (build/release/trommel)
  --shape=NAME     only this shape; repeats
  --sites=N        sites of a shape (50)
  --pages=N        pages of a site (60)
  --seed=N         of the generated web (1). Whoever works on the learner looks
                   at other seeds than those that the work is checked with
  --learn=FLAG     a further flag of learn; repeats
  --jobs=N         pipelines at a time (2)
  --verbose        the sites that are done and wrong: attributes, and the XPaths
                   of their rules
  --json=FILE      the figures, for programs
  --work=DIR       where to work; kept (else a temporary folder, removed)
  --keep           keep the temporary folder
  --check          fail where more than 2% of the sites of a shape are done and
                   wrong

A shape is a trap of the synthetic web (proto/web_spec.proto) on its pages of
detail: what looks the same on two pages and is not on others. PLAIN has none.
Its sites are shared out over the verticals that have something to lay it for. An
editor who knows the truth annotates by value: of each site first the first page
of its largest cluster of detail pages, then what `learn` asks for, one page a
round and four of a cluster; other clusters are skipped. Then all pages are
extracted, and those that were not annotated are scored.

  done     all clusters of the site's detail pages have a rule that is done
  wrong    the strict F1 of the site is below 0.97
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import annotate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/testing"))
from table_rows import rows  # pylint: disable=wrong-import-position

LEAST_F1 = 0.97
MOST_WRONG = 0.02
MOST_PAGES = 4  # annotated of a cluster
ROUNDS = 12
# The verticals that a shape is generated in.
SHAPES = {
    "PLAIN": ["book", "movie", "restaurant", "camera", "job"],
    "REPEATED_SELDOM": ["book", "movie", "restaurant"],
    "LIST_TAIL": ["book", "movie", "restaurant"],
    "SHORT_AND_LONG_LIST": ["book", "movie", "restaurant"],
    "TEXT_AND_ADDRESS": ["book", "job", "nbaplayer", "restaurant"],
    "PAGE_ANCHORS": ["book", "job", "university", "nbaplayer"],
    "WORD_RANGE": ["book", "camera", "job", "movie"],
    "LINES_WITHOUT_LABELS": ["restaurant"],
    "MISSING_LABELLED": ["auto", "movie", "nbaplayer", "university"],
}


@dataclasses.dataclass
class Site:
    """What came of a site."""
    host: str
    vertical: str
    annotated_pages: int
    is_done: bool
    f1: float
    attributes: dict  # strict F1 by name
    xpaths: list

    @property
    def is_wrong(self):
        return self.f1 < LEAST_F1

    def text(self):
        lines = [f"{self.host} ({self.vertical}): strict F1 {self.f1:.4f}"]
        for name, score in sorted(self.attributes.items()):
            if score < LEAST_F1:
                lines.append(f"  {name} {score:.4f}")
                lines += [f"    {json.dumps(line, ensure_ascii=False)}"
                          for line in self.xpaths if line["attribute"] == name]
        return "\n".join(lines)


def shares(count, parts):
    return [(count + parts - 1 - i) // parts for i in range(parts)]


class Pipeline:
    """The sites of a shape in one vertical, from generation to scores."""

    def __init__(self, options, shape, vertical, num_sites):
        self.options, self.shape, self.vertical = options, shape, vertical
        self.num_sites = num_sites
        self.folder = options.work / f"{shape}-{vertical}"
        self.crawl = self.folder / "web/day=2026-01-01/crawl"
        self.truth = self.folder / "truth.jsonl"
        self.schema = self.folder / "schema.textproto"
        self.annotations = self.folder / "annotations.jsonl"
        self.details = set()  # URLs
        self.sizes = {}       # of clusters of detail pages, by ID
        self.sites = {}       # of all clusters, by ID
        self.firsts = {}      # first page of the sample, by cluster
        self.annotated = collections.Counter()  # pages, by cluster

    def trommel(self, verb, *arguments):
        command = [str(self.options.trommel), verb, *map(str, arguments),
                   "--json"]
        if verb not in ("generate", "eval", "export"):
            command.append("--workers=1")
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
        return json.loads(done.stdout)

    def generate(self):
        self.folder.mkdir()
        trap = "" if self.shape == "PLAIN" else f"trap: {self.shape}"
        host = self.shape.lower().replace("_", "-")
        spec = self.folder / "spec.textproto"
        spec.write_text(
            f"seed: {self.options.seed}\n"
            f'site {{ host: "s{{n}}.{self.vertical}.{host}.example"\n'
            f"  count: {self.num_sites} pages: {self.options.pages}\n"
            f'  vertical: "{self.vertical}"\n'
            f'  template {{ kind: "detail" weight: 8 {trap} }}\n'
            '  template { kind: "list" } template { kind: "help" } }\n')
        web = self.folder / "web"
        self.trommel("generate", f"--spec={spec}", f"--out={web}")
        schema = web / "schemas" / f"{self.vertical}.textproto"
        # The lines of an address are its values.
        self.schema.write_text(
            annotate.schema_text(schema)
            if self.shape == "LINES_WITHOUT_LABELS" else schema.read_text())
        with open(self.truth, "w", encoding="utf-8") as out:
            for line in annotate.lines_of(self.crawl.parent / "truth.jsonl"):
                if line["template"] == "detail":
                    self.details.add(line["url"])
                    print(json.dumps(line, ensure_ascii=False), file=out)

    def sample(self):
        self.trommel("cluster", f"--crawl={self.crawl}",
                     f"--out={self.folder}/clusters")
        samples = self.folder / "samples"
        self.trommel("sample", f"--crawl={self.crawl}",
                     f"--clusters={self.folder}/clusters",
                     f"--schema={self.schema}", "--pages=20",
                     "--annotate-pages=false", f"--out={samples}")
        num_details = collections.Counter()
        for row in rows(samples / "samples", ["cluster_id", "rank", "url"]):
            num_details[row["cluster_id"]] += (
                1 if row["url"] in self.details else -1)
            if row["rank"] == 0:
                self.firsts[row["cluster_id"]] = row["url"]
        for row in rows(samples / "clusters", ["site", "cluster_id", "size"]):
            self.sites[row["cluster_id"]] = row["site"]
            if num_details[row["cluster_id"]] > 0:
                self.sizes[row["cluster_id"]] = row["size"]

    def annotate(self, pages):
        """`pages`: URLs by cluster. Of a site the largest cluster is first, and
        the only one for now."""
        chosen = {}
        for cluster in sorted(pages, key=lambda one: (self.sizes[one], one)):
            chosen[self.sites[cluster]] = cluster
        self.annotated.update(chosen.values())
        with open(self.annotations, "a", encoding="utf-8") as out:
            for line in annotate.annotations_of(
                    self.truth, self.schema,
                    [pages[cluster] for cluster in chosen.values()]):
                print(json.dumps(line, ensure_ascii=False), file=out)

    def learn(self):
        """The lines of status in the end."""
        with open(self.annotations, "w", encoding="utf-8") as out:
            for cluster, url in self.firsts.items():
                if cluster not in self.sizes:
                    print(json.dumps({"url": url, "skip": True}), file=out)
        asked = {cluster: self.firsts[cluster] for cluster in self.sizes}
        for _ in range(ROUNDS):
            self.annotate(asked)
            self.trommel("learn", f"--samples={self.folder}/samples",
                         f"--annotations={self.annotations}",
                         f"--schema={self.schema}", "--force",
                         f"--max-annotated-pages={MOST_PAGES}",
                         f"--out={self.folder}/rules", *self.options.learn)
            status = annotate.lines_of(self.folder / "rules/status.jsonl")
            # A page that came into a cluster of others is of no use there.
            asked = {line["cluster_id"]: line["next_url"] for line in status
                     if line["status"] == "needs_annotation" and
                     line["next_url"] in self.details and
                     self.annotated[line["cluster_id"]] < MOST_PAGES}
            if not asked:
                break
        return status

    def xpaths(self):
        """Of the rules, by site."""
        out = self.folder / "export"
        self.trommel("export", f"--rules={self.folder}/rules", f"--out={out}")
        found = collections.defaultdict(list)
        for line in annotate.lines_of(out / "xpaths.jsonl"):
            found[line.pop("site")].append(line)
        return found

    def run(self):
        """The sites, in the order of their names."""
        self.generate()
        self.sample()
        status = self.learn()
        records = self.folder / "records"
        self.trommel("extract", f"--crawl={self.crawl}",
                     f"--rules={self.folder}/rules", f"--out={records}")
        scores = self.trommel(
            "eval", f"--records={records}", f"--truth={self.truth}",
            f"--schema={self.schema}", f"--exclude={self.annotations}")
        by_site = {line["site"]: line for line in scores["sites"]}
        xpaths = self.xpaths() if self.options.verbose else {}
        statuses = collections.defaultdict(set)
        for line in status:
            if line["cluster_id"] in self.sizes:
                statuses[line["site"]].add(line["status"])
        found = []
        for number in range(1, self.num_sites + 1):
            host = (f"s{number}.{self.vertical}."
                    f"{self.shape.lower().replace('_', '-')}.example")
            score = by_site.get(host, {"strict": {"f1": 0.0}, "attributes": []})
            found.append(Site(
                host, self.vertical,
                sum(count for cluster, count in self.annotated.items()
                    if self.sites[cluster] == host),
                statuses[host] == {"done"}, score["strict"]["f1"],
                {line["attribute"]: line["strict"]["f1"]
                 for line in score["attributes"] if line["occurs"]},
                xpaths.get(host, [])))
        return found


@dataclasses.dataclass
class Figures:
    """Of the sites of a shape."""
    shape: str
    sites: list

    def mean(self, values):
        return sum(values) / len(self.sites)

    def wrong(self):
        return [site for site in self.sites if site.is_done and site.is_wrong]

    def values(self):
        return {
            "sites": len(self.sites),
            "strict_f1": self.mean(site.f1 for site in self.sites),
            "annotated_pages": self.mean(site.annotated_pages
                                         for site in self.sites),
            "done_and_wrong": self.mean(site.is_done and site.is_wrong
                                        for site in self.sites),
            "not_done": self.mean(not site.is_done for site in self.sites),
        }

    HEAD = (f"{'shape':21} {'sites':>5} {'strict F1':>9} {'pages':>6}"
            f" {'done and wrong':>14} {'not done':>8}")

    def text(self):
        values = self.values()
        return (f"{self.shape:21} {values['sites']:5} "
                f"{values['strict_f1']:9.4f} {values['annotated_pages']:6.2f}"
                f" {values['done_and_wrong']:14.1%} {values['not_done']:8.1%}")


def measure(options):
    """Figures by shape."""
    pipelines = []
    for shape in options.shape:
        verticals = SHAPES[shape]
        for vertical, count in zip(verticals,
                                   shares(options.sites, len(verticals))):
            if count > 0:
                pipelines.append(Pipeline(options, shape, vertical, count))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(Pipeline.run, pipelines))
    by_shape = {shape: Figures(shape, []) for shape in options.shape}
    for pipeline, sites in zip(pipelines, found):
        by_shape[pipeline.shape].sites += sites
    return list(by_shape.values())


def report(options, figures):
    """The shapes that miss the threshold."""
    print(Figures.HEAD)
    for one in figures:
        print(one.text())
    if options.verbose:
        for one in figures:
            for site in one.wrong():
                print(f"\n{one.shape}, seed {options.seed}, {site.text()}")
    if options.json:
        options.json.write_text(json.dumps({
            "seed": options.seed,
            "shapes": {one.shape: one.values() for one in figures},
            "done_and_wrong": {one.shape: [site.host for site in one.wrong()]
                               for one in figures}}, indent=1) + "\n")
    return [one.shape for one in figures
            if one.values()["done_and_wrong"] > MOST_WRONG]


def parsed_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--trommel", default=ROOT / "build/release/trommel",
                        type=pathlib.Path)
    parser.add_argument("--shape", action="append", choices=SHAPES)
    for name, default in (("sites", 50), ("pages", 60), ("seed", 1),
                          ("jobs", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--learn", action="append", default=[])
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    options.shape = options.shape or list(SHAPES)
    options.trommel = options.trommel.resolve()
    return options


def main():
    options = parsed_options()
    is_temporary = options.work is None
    options.work = options.work or pathlib.Path(tempfile.mkdtemp())
    options.work.mkdir(parents=True, exist_ok=True)
    if any(options.work.iterdir()):
        sys.exit(f"{options.work} is not empty")
    try:
        missed = report(options, measure(options))
    finally:
        if is_temporary and not options.keep:
            shutil.rmtree(options.work)
        else:
            print(f"working folder: {options.work}", file=sys.stderr)
    if missed and options.check:
        sys.exit(f"FAILED: more than {MOST_WRONG:.0%} of the sites are done "
                 f"and wrong: {', '.join(missed)}")


if __name__ == "__main__":
    main()

"""The web of accidents.py: generated and real sites, each with more pages than
a night has, and the same pages in other designs.

A design is a tuple of names of changes (`HARD` and `SOFT`) in the order in
which they happened; the empty one is how a site was at first. Of generated
sites `trommel generate` makes every design: the same web with other planned
changes has the same URLs and values. The pages of real sites are changed by
mutate.py. Truth goes with the page: of a generated design it is the one written
beside it. mutate.py keeps the values of a page; a value that was a text of the
page and is none after the change (a label that was a value, say) leaves its
attribute out of the truth, so that nobody is judged by it.
"""
import collections
import dataclasses
import hashlib
import pathlib
import subprocess
import sys
import threading
import urllib.parse

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "deploy"), str(ROOT / "tests/testing")]
import annotate  # pylint: disable=wrong-import-position
import crawl_to_jsonl  # pylint: disable=wrong-import-position,unused-import
import mutate  # pylint: disable=wrong-import-position
from load_lxml import load_lxml  # pylint: disable=wrong-import-position
from table_rows import rows  # pylint: disable=wrong-import-position

VERTICALS = ["movie", "book", "restaurant", "camera", "job", "university",
             "nbaplayer", "auto"]
# A site has so many times the pages of a night: new ones for turnover, and
# twice as many where a site doubles.
POOL = 2.5

# Changes after which a person may be needed, and those that rules survive or
# can be repaired after.
HARD = ["redesign", "template"]
SOFT = ["class_rename", "label_changed", "wrapper_added", "section_moved",
        "attribute_removed"]


@dataclasses.dataclass(frozen=True)
class Page:
    """A page as it is served on a night."""
    url: str
    content: bytes
    charset: str
    design: tuple = ()
    # Attribute to values, an empty list where the page has none; an attribute
    # that is not mentioned is not judged. None: the page has no record.
    truth: dict = None
    is_genuine: bool = True  # no wall, no error
    status: int = 200

    def replaced(self, **changes):
        return dataclasses.replace(self, **changes)


def hard(design):
    """The part of a design that rules have to be learnt for."""
    return tuple(name for name in design if name in HARD)


def share_of(*what):
    """A number from 0 to 1 that follows from `what` alone."""
    digest = hashlib.sha256("\n".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def normal(text):
    return " ".join(text.split())


def parse(page):
    charset = page.charset
    if not charset:
        try:
            page.content.decode()
            charset = "utf-8"
        except UnicodeDecodeError:
            charset = "windows-1252"
    html = load_lxml().html
    return html.document_fromstring(page.content,
                                    parser=html.HTMLParser(encoding=charset))


def with_tree(page, tree, **changes):
    """The page with another tree."""
    content = load_lxml().html.tostring(tree, encoding="utf-8",
                                        doctype="<!DOCTYPE html>")
    return page.replaced(content=content, charset="utf-8", **changes)


def node_texts(tree):
    return {normal(getattr(node, place) or "")
            for node, place in mutate.texts(tree)}


def truth_after(truth, before, after):
    """The truth of a page whose texts were `before` and are `after`."""
    return {name: values for name, values in truth.items()
            if all(normal(value) in after or normal(value) not in before
                   for value in values)}


class Site:
    """A site: its pages, and which of them a night has."""

    def __init__(self, seed, name, vertical, templates):
        self.name = name
        self.vertical = vertical
        self.templates = {  # template to URLs in the order of their turn
            template: sorted(urls, key=lambda url: share_of(seed, url))
            for template, urls in templates.items()}
        # Share of a night's pages that are new on the next.
        self.turnover = [0, 0, 0.01, 0.02][int(4 * share_of(seed, name))]

    def urls(self):
        return [url for urls in self.templates.values() for url in urls]

    def window(self, shift, factor):
        """(template, URL) of the pages that a night has, `shift` as a share of
        them after those of the first night."""
        for template, urls in self.templates.items():
            count = len(urls) / POOL
            start = int(shift * count)
            for i in range(min(round(count * factor), len(urls))):
                yield template, urls[(start + i) % len(urls)]

    def page(self, url, design):
        raise NotImplementedError

    def can_change(self, change):
        """Whether the site has such a design."""
        raise NotImplementedError


class RealSite(Site):
    """A folder of real pages."""

    def __init__(self, seed, folder, num_pages):
        every = list(rows(folder / "crawl"))
        hosts = collections.Counter(host_of(row["url"]) for row in every)
        host = min(hosts, key=lambda host: (-hosts[host], host))
        chosen = sorted((row for row in every if host_of(row["url"]) == host),
                        key=lambda row: share_of(seed, row["url"]))
        self.rows = {row["url"]: row
                     for row in chosen[:int(num_pages * POOL)]}
        self.truth = {line["url"]: line["values"]
                      for line in annotate.lines_of(folder / "truth.jsonl")}
        self.labels = None
        self.pages = {}
        super().__init__(seed, host, folder.name.partition("-")[0],
                         {"page": self.rows})

    def can_change(self, change):
        return change != "template"

    def original(self, url):
        row = self.rows[url]
        return Page(url, row["content"], row.get("content_charset") or "utf-8",
                    truth=self.truth[url])

    def page(self, url, design):
        if (url, design) not in self.pages:
            self.pages[url, design] = self.changed(url, design)
        return self.pages[url, design]

    def changed(self, url, design):
        if self.labels is None:
            self.labels = mutate.common_labels(
                [parse(self.original(one)) for one in list(self.rows)[:40]])
        page = self.original(url)
        tree = parse(page)
        before = node_texts(tree)
        for change in design:
            for kind in SOFT if change == "redesign" else [change]:
                mutate.KINDS[kind](tree, self.labels)
        truth = truth_after(page.truth, before, node_texts(tree))
        return with_tree(page, tree, truth=truth, design=design)


def host_of(url):
    return urllib.parse.urlsplit(url).hostname or "-"


class GeneratedWeb:
    """The generated sites in every design."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.lock = threading.Lock()
        self.designs = {}  # to (rows by URL, lines of truth by URL)
        self.vertical = {f"www.s{number}.example":
                         options.vertical[number % len(options.vertical)]
                         for number in range(options.sites)}

    def spec(self, design):
        changes = "".join(
            'change { kind: REDESIGN day: 1 template: "special" }'
            if change == "template" else
            f"change {{ kind: {change.upper()} day: 1 }}" for change in design)
        sites = "\n".join(
            f'site {{ host: "{host}" vertical: "{vertical}" '
            f"pages: {int(self.options.pages * POOL)} "
            'template { kind: "detail" weight: 5 } ' +
            ('template { kind: "detail" name: "special" weight: 4 } '
             if has_special(host) else "") +
            'template { kind: "list" } template { kind: "help" } ' +
            (changes if has_special(host) or "template" not in design else "") +
            "}" for host, vertical in self.vertical.items())
        return f"seed: {self.options.seed}\ndays: 2\n{sites}\n"

    def design(self, design):
        """Its pages, made when they are asked for first."""
        with self.lock:
            if design not in self.designs:
                self.designs[design] = self.make(design)
            return self.designs[design]

    def make(self, design):
        folder = self.folder / ("-".join(design) or "first")
        folder.mkdir(parents=True)
        spec = folder / "spec.textproto"
        spec.write_text(self.spec(design))
        subprocess.run([self.options.trommel, "generate", f"--spec={spec}",
                        f"--out={folder}/web"], check=True, capture_output=True)
        day = max((folder / "web").glob("day=*"))
        truth = {}
        for line in annotate.lines_of(day / "truth.jsonl"):
            if "record" in line or not line["values"]:
                line["values"] = None
            truth[line["url"]] = line
        return {row["url"]: row for row in rows(day / "crawl")}, truth

    def sites(self):
        templates = collections.defaultdict(
            lambda: collections.defaultdict(list))
        for url, line in self.design(())[1].items():
            templates[line["site"]][line["template"]].append(url)
        return [GeneratedSite(self, host, vertical, templates[host])
                for host, vertical in self.vertical.items()]


def has_special(host):
    """Whether a generated site has two templates with records: about every
    other."""
    return share_of("special", host) < 0.5


class GeneratedSite(Site):
    def __init__(self, web, host, vertical, templates):
        super().__init__(web.options.seed, host, vertical, templates)
        self.web = web

    def can_change(self, change):
        return change != "template" or "special" in self.templates

    def page(self, url, design):
        pages, truth = self.web.design(design)
        values = truth[url]["values"]
        if values is not None:
            values = {name: values.get(name, [])
                      for name in attributes_of(self.vertical)}
        row = pages[url]
        return Page(url, row["content"], row.get("content_charset") or "",
                    design, values)


# Schemas, for generated and real sites alike.

def schema_text(vertical):
    return annotate.schema_text(ROOT / "schemas" / f"{vertical}.textproto")


def attributes_of(vertical):
    """Name to whether it is repeated."""
    return {name: "repeated:" in rest for name, rest in
            annotate.ATTRIBUTE.findall(schema_text(vertical))}


def optional_attributes(vertical):
    return [name for name, rest in
            annotate.ATTRIBUTE.findall(schema_text(vertical))
            if "mandatory:" not in rest]


def all_sites(options, folder):
    """Those that the options ask for, by vertical."""
    real = sorted(path.parent for path in options.data.glob("*/truth.jsonl")
                  if path.parent.name.partition("-")[0] in options.vertical)
    if not real and options.real:
        print(f"NO REAL SITES in {options.data} (set TROMMEL_DATA): what "
              "follows is measured on generated sites only", file=sys.stderr)
    step = max(len(real) / max(options.real, 1), 1)
    chosen = [real[int(i * step)] for i in range(min(options.real, len(real)))]
    sites = [RealSite(options.seed, path, options.pages) for path in chosen]
    if options.sites:
        sites += GeneratedWeb(options, folder).sites()
    by_vertical = collections.defaultdict(list)
    for site in sorted(sites, key=lambda site: site.name):
        by_vertical[site.vertical].append(site)
    return dict(by_vertical)

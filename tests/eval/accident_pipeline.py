"""A pipeline of accidents.py, by the command line and its documented files
only, and the editor who answers what it asks for.
"""
import collections
import datetime
import json
import pathlib
import re
import subprocess
import sys

import accident_web
from accident_web import crawl_to_jsonl, rows

FIRST = datetime.date(2026, 1, 1)
MOST_PAGES_A_NIGHT = 3  # that the editor annotates of a site

PIPELINE = """
crawl: "crawls/day={date}"
ready { marker: "READY" }
vertical {
  name: "%(vertical)s"
  schema: "schema.textproto"
  annotations: "annotations/{date}.jsonl"
}
engine { workers: 1 }
limits { attempts: 1 parallel_stages: 2 coverage_days: 3 }
"""

# Of alerts that do not say how bad it is.
SEVERITY = collections.defaultdict(lambda: "warning", {
    "stage_failed": "critical", "crawl_missing": "critical",
    "site_missing": "critical", "site_blocked": "critical",
    "rule_restored": "info"})


def date_of(night):
    return (FIRST + datetime.timedelta(days=night)).isoformat()


class Alert:
    """An alert of a night as people read it."""

    def __init__(self, values, sites):
        self.values = values
        self.kind = values["kind"]
        self.site = values.get("site") or self.named_site(sites)
        self.severity = values.get("severity") or SEVERITY[self.kind]
        self.key = values.get("key") or f"{self.kind} {self.site}"
        self.words = self.key, values.get("message")

    def named_site(self, sites):
        """The only site that the words of an alert without a site name."""
        message = self.values.get("message", "")
        named = [site for site in sites if re.search(
            rf"(?<![\w.]){re.escape(site)}(?![\w-]|\.\w)", message)]
        return named[0] if len(named) == 1 else ""

    @property
    def is_loud(self):
        return self.severity != "info"

    def dates(self):
        """The dates of the samples that it is about."""
        for field in ("report", "message"):
            dates = re.findall(r"\d{4}-\d\d-\d\d",
                               str(self.values.get(field) or ""))
            if dates:
                return set(dates)
        return set()


class Pipeline:
    """The folder of one vertical's pipeline."""

    def __init__(self, trommel, folder, vertical, sites):
        self.trommel = str(trommel)
        self.folder = folder
        self.vertical = vertical
        self.sites = [site.name for site in sites]
        (folder / "annotations").mkdir(parents=True)
        self.file = folder / "pipeline.textproto"
        self.file.write_text(PIPELINE % {"vertical": vertical})
        self.schema = folder / "schema.textproto"
        self.schema.write_text(accident_web.schema_text(vertical))
        self.failures = []  # (date, what it said)

    def verb(self, *arguments):
        return subprocess.run([self.trommel, *map(str, arguments)],
                              capture_output=True, text=True, check=False)

    def write_crawl(self, folder, pages, date):
        parquet = crawl_to_jsonl.load_pyarrow()
        import pyarrow  # pylint: disable=import-outside-toplevel

        folder.mkdir(parents=True)
        fetched = datetime.datetime.fromisoformat(date + "T02:00:00")
        parquet.write_table(pyarrow.table({
            "url": pyarrow.array([page.url for page in pages],
                                 pyarrow.string()),
            "fetch_time": pyarrow.array([fetched] * len(pages),
                                        pyarrow.timestamp("us", "UTC")),
            "fetch_status": pyarrow.array([page.status for page in pages],
                                          pyarrow.int32()),
            "content_mime_type": pyarrow.array(["text/html"] * len(pages),
                                               pyarrow.string()),
            "content_charset": pyarrow.array(
                [page.charset or None for page in pages], pyarrow.string()),
            "content": pyarrow.array([page.content for page in pages],
                                     pyarrow.binary())}),
            folder / "part-00000.parquet", compression="zstd")
        (folder / "READY").touch()

    def crawl(self, night, pages):
        """The crawl of a night arrives."""
        date = date_of(night)
        self.write_crawl(self.folder / f"crawls/day={date}", pages, date)

    def run(self, night, may_fail=False):
        """Runs the night; its open alerts."""
        date = date_of(night)
        done = self.verb("run", self.file, f"--date={date}", "--json")
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report = {}
        if done.returncode not in (0, 3) and not may_fail:
            said = [alert.get("message") for alert in report.get("alerts", [])
                    if alert.get("kind") == "stage_failed"]
            self.failures.append(
                (date, "; ".join(map(str, said)) or done.stderr[-300:]))
        return [Alert(alert, self.sites) for alert in report.get("alerts", [])]

    def records(self, night):
        """The rows of the records of a night, by URL."""
        return records_below(
            self.folder / f"records/date={date_of(night)}")

    def extract_now(self, pages, name):
        """The records that the rules in service now give."""
        current = self.folder / "rules/CURRENT"
        if not current.exists():
            return {}
        self.write_crawl(self.folder / f"plain/{name}-crawl", pages,
                         date_of(0))
        out = self.folder / f"plain/{name}"
        done = self.verb(
            "extract", f"--crawl={self.folder}/plain/{name}-crawl",
            f"--rules={self.folder}/rules/{current.read_text().split()[0]}",
            f"--out={out}", "--workers=1")
        if done.returncode != 0:
            sys.exit(f"extract {name}: {done.stderr}")
        return records_below(out / "records")


def records_below(folder):
    found = collections.defaultdict(list)
    for table in sorted(pathlib.Path(folder).glob("schema=*")):
        for row in rows(table):
            found[row["url"]].append(row)
    return found


class Editor:
    """Annotates, for the next night, what the pipeline asks for tonight.

    Asked is what an open alert `needs_annotation` is about: of a sample that
    nobody has annotated the first page of every template, of others the
    next_url of each template that learning wants a page of.
    """

    def __init__(self, pipeline):
        self.pipeline = pipeline
        self.served = {}    # date to URL to page, of every night
        self.asked = set()  # (date of the sample, URL)

    def serve(self, night, pages):
        self.served[date_of(night)] = {page.url: page for page in pages}

    def file(self, date):
        return self.pipeline.folder / f"annotations/{date}.jsonl"

    def sample(self, date):
        return (self.pipeline.folder /
                f"work/samples/{self.pipeline.vertical}/day={date}")

    def open_requests(self, alerts):
        """(date, site, URL), the sample's order kept."""
        found = []
        for alert in alerts:
            if alert.kind != "needs_annotation":
                continue
            every = [path.name.partition("=")[2] for path in
                     sorted(self.sample("*").parent.glob("day=*"))]
            for date in [date for date in every if date in alert.dates()
                         ] or every:
                site = alert.values.get("site") or ""
                found += [request for request in self.requests_of(date)
                          if site in ("", request[1]) and request not in found]
        return found

    def requests_of(self, date):
        if not self.file(date).exists():
            firsts = [row for row in rows(self.sample(date) / "samples",
                                          ["site", "cluster_id", "rank", "url"])
                      if row["rank"] == 0]
            return [(date, row["site"], row["url"]) for row in firsts]
        status = (self.pipeline.folder / f"work/learnt/{self.pipeline.vertical}"
                  f"/day={date}/status.jsonl")
        if not status.exists():
            return []
        known = {line["url"]
                 for line in accident_web.annotate.lines_of(self.file(date))}
        return [(date, line["site"], line["next_url"])
                for line in accident_web.annotate.lines_of(status)
                if line["status"] == "needs_annotation" and
                line["next_url"] not in known]

    def answer(self, alerts):
        """Writes annotations. The pages that were asked for and had not been:
        [(site, page)]."""
        news = []
        answered = collections.Counter()
        for date, site, url in self.open_requests(alerts):
            page = self.served.get(date, {}).get(url)
            if (date, url) not in self.asked:
                self.asked.add((date, url))
                news.append((site, page))
            if answered[site] == MOST_PAGES_A_NIGHT:
                continue
            answered[site] += 1
            with self.file(date).open("a", encoding="utf-8") as out:
                for line in self.annotations(url, page):
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
        return news

    def annotations(self, url, page):
        if page is None or page.truth is None:
            return [{"url": url, "skip": True}]
        lines = []
        for name, is_repeated in accident_web.attributes_of(
                self.pipeline.vertical).items():
            values = page.truth.get(name)
            if values is None:
                continue  # the truth does not say, so neither does the editor
            if not values:
                lines.append({"url": url, "attribute": name, "absent": True})
            for value in values if is_repeated else values[:1]:
                lines.append({"url": url, "attribute": name, "value": value})
        return lines

#!/usr/bin/python3
"""bad_nights_test.py TROMMEL: one bad night, and everything is as before.

On the second of six nights one site loses an attribute on most of its pages,
one has a wall before bots in place of its pages, and one has renamed its
classes for good. The first two are back on the third night."""
import json
import pathlib
import random
import sys
import tempfile
import unittest

import nights

sys.path.insert(0, str(nights.ROOT / "tests/eval"))
import accident_pages  # pylint: disable=wrong-import-position
import accident_web  # pylint: disable=wrong-import-position
import annotate_from_truth  # pylint: disable=wrong-import-position

TROMMEL = sys.argv.pop(1)
DATES = nights.dates(6)
BAD, LATER = DATES[1], DATES[2:]

LOSES, WALLED, RENAMED = "loses.example", "walled.example", "renamed.example"
SITES = (LOSES, WALLED, RENAMED)
SPEC = f"""
seed: 11
start_date: "{nights.FIRST}"
days: {len(DATES)}
site {{ host: "{LOSES}" vertical: "movie" pages: 40 }}
site {{ host: "{WALLED}" vertical: "movie" pages: 40 }}
site {{
  host: "{RENAMED}"
  vertical: "movie"
  pages: 40
  change {{ kind: CLASS_RENAME day: 1 }}
}}
"""
ATTRIBUTE, SHARE = "runtime", 0.6
# What the walls say, and no page.
WALL_WORDS = b"you are not a robot"
BROKEN = {"rule_broken", "rule_withdrawn", "rule_withheld", "site_changed",
          "needs_annotation", "learning_failed"}


def spoil(folder):
    """Makes the crawl of the bad night of a good one."""
    parquet = nights.crawl_to_jsonl.load_pyarrow()
    truth = annotate_from_truth.details_of(folder / "truth.jsonl")
    wall = next(text for text in accident_pages.WALLS
                if WALL_WORDS.decode() in text)
    rng = random.Random(1)
    for part in (folder / "crawl").glob("*.parquet"):
        table = parquet.read_table(part)
        spoilt = table.to_pylist()
        having = [row["url"] for row in spoilt if
                  accident_web.host_of(row["url"]) == LOSES and
                  truth.get(row["url"], {}).get(ATTRIBUTE)]
        losing = set(rng.sample(
            having, round(SHARE * len(having))))
        for row in spoilt:
            page = accident_web.Page(row["url"], row["content"],
                                     row["content_charset"] or "",
                                     truth=truth.get(row["url"]))
            if accident_web.host_of(page.url) == WALLED:
                page = accident_pages.wall(page, wall, rng)
            elif page.url in losing:
                page = accident_pages.without_attribute(page, ATTRIBUTE, True)
            row["content"], row["content_charset"] = page.content, page.charset
        parquet.write_table(type(table).from_pylist(spoilt, table.schema), part)
    (folder / "crawl/_SUCCESS").unlink()


class BadNightsTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        temp = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temp.cleanup)
        cls.place = nights.Place(TROMMEL, pathlib.Path(temp.name) / "place",
                                 more='ready { marker: "READY" }')
        spec = cls.place.folder / "spec.textproto"
        spec.write_text(SPEC, encoding="utf-8")
        cls.place.verb("generate", f"--spec={spec}",
                       f"--out={cls.place.folder}/web")
        spoil(cls.place.folder / f"web/day={BAD}")
        (cls.place.folder / "web/_SUCCESS").unlink()
        for crawl in cls.place.folder.glob("web/day=*/crawl"):
            (crawl / "READY").touch()
        cls.place.annotate()
        cls.reports = {
            date: json.loads(cls.place.run(f"--date={date}", "--json",
                                      "--fail-on-alert=never").stdout)
            for date in DATES[1:]}

    def fullness(self, date, site):
        """How many records a site has, and how many of them each attribute."""
        records = [record for record in self.place.records(date)
                   if record["site"] == site]
        return {"records": len(records), **{
            name: sum(bool(record[name]) for record in records)
            for name in accident_web.attributes_of("movie")}}

    def alerts(self, date, site, kinds=None, which="alerts"):
        """Alerts of a site, those of no site in particular among them."""
        return [alert for alert in self.reports[date].get(which, [])
                if alert.get("site", "") in ("", site) and
                (kinds is None or alert["kind"] in kinds)]

    def only_alert(self, site, kind):
        """Of the bad night, that says which site it is of."""
        kinds = [alert["kind"] for alert in self.alerts(BAD, site)]
        self.assertEqual(kinds.count(kind), 1, f"{site}: {kinds}")
        (alert,) = self.alerts(BAD, site, {kind})
        self.assertEqual(alert["site"], site)
        return alert

    def test_first_night_has_records(self):
        for site in SITES:
            with self.subTest(site):
                self.assertGreater(self.fullness(DATES[0], site)["records"], 25)
        self.assertGreater(self.fullness(DATES[0], LOSES)[ATTRIBUTE], 15)

    def test_records_of_later_nights_are_as_full_as_on_the_first(self):
        for site in SITES:
            for date in LATER:
                with self.subTest(f"{site} {date}"):
                    self.assertEqual(self.fullness(date, site),
                                     self.fullness(DATES[0], site))

    def test_bad_night_delivers_what_there_is(self):
        before = self.fullness(DATES[0], LOSES)
        now = self.fullness(BAD, LOSES)
        lost = round(SHARE * before[ATTRIBUTE])
        self.assertEqual(now, {**before, ATTRIBUTE: before[ATTRIBUTE] - lost})
        self.assertEqual(self.fullness(BAD, WALLED)["records"], 0)
        self.assertEqual(self.fullness(BAD, RENAMED),
                         self.fullness(DATES[0], RENAMED))

    def test_wall_is_not_sampled(self):
        samples = self.place.folder / "work/samples/movie"
        for sample in sorted(samples.glob("day=*")):
            for row in accident_web.rows(sample / "samples"):
                self.assertNotIn(WALL_WORDS, row["content"],
                                 f"{sample.name} {row['url']}")

    def test_nobody_is_asked(self):
        for date in DATES[1:]:
            for site in SITES:
                with self.subTest(f"{site} {date}"):
                    self.assertEqual(
                        self.alerts(date, site, {"needs_annotation"}), [])

    def test_wall_is_reported_and_resolved(self):
        alert = self.only_alert(WALLED, "site_blocked")
        self.assertIn(alert["severity"], ("warning", "critical"))
        self.assertEqual(self.alerts(BAD, WALLED, BROKEN), [])
        self.assert_resolved(alert)

    def test_lost_attribute_is_reported_and_resolved(self):
        alert = self.only_alert(LOSES, "fill_drop")
        self.assertIn(ATTRIBUTE, alert["message"])
        numbers = {when: [value for name, value in alert["numbers"].items()
                          if when in name] for when in ("before", "after")}
        self.assertGreater(max(numbers["before"]), max(numbers["after"]))
        self.assertEqual(self.alerts(BAD, LOSES, BROKEN), [])
        self.assert_resolved(alert)

    def assert_resolved(self, alert):
        """On the third night, and from then on it is not open."""
        ended = self.alerts(LATER[0], alert["site"], {alert["kind"]},
                            which="resolved")
        self.assertEqual([one["key"] for one in ended], [alert["key"]])
        for date in LATER:
            self.assertEqual(
                self.alerts(date, alert["site"], {alert["kind"]}), [])

    def test_what_was_repaired_is_not_reported_broken(self):
        self.assertEqual(self.fullness(BAD, RENAMED),
                         self.fullness(DATES[0], RENAMED), "was not repaired")
        for date in DATES[1:]:
            with self.subTest(date):
                self.assertEqual(
                    [alert["kind"] for alert in self.alerts(
                        date, RENAMED, BROKEN)
                     if alert.get("severity") != "info"], [])


if __name__ == "__main__":
    unittest.main()

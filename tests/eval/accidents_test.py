#!/usr/bin/python3
"""accidents_test.py: what accidents.py counts as lost, wrong, harmful, noticed,
back and a false alarm; and that pages without an attribute do not have it."""
import types
import unittest

import accident_events
import accident_pages
import accident_pipeline
import accident_scores
import accident_web
from accident_web import Page

PAGE = """<html><head><title>Up</title></head><body><h1>Up</h1>%s
<p>By: <a>Ann</a>, <a>Bob</a></p></body></html>"""


class PagesTest(unittest.TestCase):
    def test_without_attribute(self):
        for label, line, with_label, gone, left in (
                ("own text", "<p>Length: <b>96 min</b></p>", True,
                 ["96 min", "Length"], []),
                ("label stays", "<p>Length: <b>96 min</b></p>", False,
                 ["96 min"], ["Length:"]),
                ("in one text", "<p>Length: 96 min</p>", True,
                 ["96 min", "Length"], []),
                ("in one text, label stays", "<p>Length: 96 min</p>", False,
                 ["96 min"], ["Length:"]),
                ("label in a cell", "<table><tr><td>Length:</td><td>96 min</td>"
                 "</tr><tr><td>Other</td></tr></table>", True,
                 ["96 min", "Length"], ["Other"])):
            with self.subTest(label):
                page = Page("u", (PAGE % line).encode(), "utf-8",
                            truth={"title": ["Up"], "length": ["96 min"]})
                page = accident_pages.without_attribute(page, "length",
                                                        with_label)
                self.assertEqual(page.truth, {"title": ["Up"], "length": []})
                for word in gone:
                    self.assertNotIn(word, page.content.decode())
                for word in left + ["<h1>Up</h1>", "Ann"]:
                    self.assertIn(word, page.content.decode())

    def test_several_values_go_with_their_label(self):
        page = Page("u", (PAGE % "").encode(), "utf-8",
                    truth={"author": ["Ann", "Bob"]})
        page = accident_pages.without_attribute(page, "author", True)
        self.assertEqual(page.truth, {"author": []})
        self.assertNotIn("By:", page.content.decode())

    def test_value_that_is_elsewhere_is_not_judged(self):
        page = Page("u", (PAGE % "<p>Ann was here</p>").encode(), "utf-8",
                    truth={"author": ["Ann", "Bob"], "title": ["Up"]})
        page = accident_pages.without_attribute(page, "author", True)
        self.assertEqual(page.truth, {"title": ["Up"]})

    def test_walls_and_errors_are_not_genuine(self):
        page = Page("http://a.example/1", (PAGE % "").encode(), "utf-8",
                    truth={"title": ["Up"]})
        rng = accident_events.random.Random(1)
        for bad in [accident_pages.wall(page, text, rng)
                    for text in accident_pages.WALLS] + [
                        accident_pages.bare_error(page, "Oops"),
                        accident_pages.framed_error(page, "Oops")]:
            self.assertFalse(bad.is_genuine)
            self.assertIsNone(bad.truth)
            self.assertNotEqual(bad.content, page.content)


def page_of(number, title, runtime="", **changes):
    return Page(f"http://a.example/{number}", b"", "utf-8", truth={
        "title": [title], "director": [], "genre": ["x", "y"],
        "runtime": [runtime] if runtime else []}, **changes)


def record_of(page, **changes):
    values = {"title": page.truth["title"][0], "genre": ["y", "x"],
              "runtime": (page.truth["runtime"] or [None])[0]}
    return {page.url: [{"url": page.url, **values, **changes}]}


class ScoresTest(unittest.TestCase):
    def setUp(self):
        self.oracle = accident_scores.Oracle("movie")
        self.page = page_of(1, "Up", "96 min")
        self.oracle.learn((), [self.page], record_of(self.page))

    def score(self, page, records):
        one = self.oracle.score([page], records)
        return (one.had_records, one.lost_records, one.had_values,
                one.lost_values, one.delivered, one.wrong)

    def test_verdicts(self):
        for delivered, truth, is_repeated, expected in (
                ("a", ["a"], False, "right"), ("a ", ["a"], False, "right"),
                ("a", ["b", "a"], False, "right"), ("b", ["a"], False, "wrong"),
                (None, ["a"], False, "missing"), (None, [], False, "right"),
                ("a", [], False, "wrong"), (["b", "a"], ["a", "b"], True,
                                            "right"),
                (["a"], ["a", "b"], True, "wrong"),
                ([], ["a"], True, "missing")):
            with self.subTest(f"{delivered} {truth}"):
                self.assertEqual(accident_scores.verdict(
                    delivered, truth, is_repeated), expected)

    def test_scores(self):
        page = self.page
        without = page.replaced(truth={**page.truth, "runtime": []})
        unknown = page.replaced(truth={"title": ["Up"]})
        wall = page.replaced(truth=None, is_genuine=False)
        for label, served, records, expected in (
                ("as on a quiet night", page, record_of(page),
                 (1, 0, 3, 0, 3, 0)),
                ("no record", page, {}, (1, 1, 3, 3, 0, 0)),
                ("a value is missing", page, record_of(page, runtime=None),
                 (1, 0, 3, 1, 2, 0)),
                ("a value is wrong", page, record_of(page, runtime="7"),
                 (1, 0, 3, 1, 3, 1)),
                ("a value of what the page lost", without, record_of(page),
                 (1, 0, 2, 0, 3, 1)),
                ("the truth does not say", unknown, record_of(page),
                 (1, 0, 1, 0, 1, 0)),
                ("a record of a wall", wall, record_of(page),
                 (0, 0, 0, 0, 3, 3)),
                ("a wall without a record", wall, {}, (0, 0, 0, 0, 0, 0))):
            with self.subTest(label):
                self.assertEqual(self.score(served, records), expected)

    def test_what_learning_never_got_right_is_not_counted(self):
        page = page_of(2, "Go", "7 min")
        self.oracle.learn((), [page], record_of(page, runtime="8 min"))
        self.assertEqual(self.score(page, record_of(page, runtime="9 min")),
                         (1, 0, 2, 0, 3, 0))

    def test_page_in_a_hard_design_needs_both(self):
        redesigned = self.page.replaced(design=("redesign", "class_rename"))
        self.assertEqual(self.score(redesigned, {}), (0, 0, 0, 0, 0, 0))
        self.oracle.learn(("redesign",), [redesigned],
                          record_of(self.page, runtime=None))
        self.assertEqual(self.score(redesigned, {}), (1, 1, 2, 2, 0, 0))


class FakeEvent(accident_events.Event):
    kind = "fake"
    fitting = {"site_blocked"}

    def serve(self, night, pages):
        return [page.replaced(truth=None, is_genuine=False) for page in pages]


class FakePlan:
    """A site of twenty pages with an event on nights 4 and 5."""

    def __init__(self):
        self.site = types.SimpleNamespace(name="a.example")
        self.sites = [self.site]
        self.pages = [page_of(number, "Up", "96 min") for number in range(20)]
        self.events = [FakeEvent(1, self.site, 4, 2)]

    def of_site(self, site, night=None):
        return [event for event in self.events
                if event.site is site and
                (night is None or event.is_active(night))]

    def served(self, site, night, without=()):
        pages = self.pages
        for event in self.of_site(site, night):
            if event not in without:
                pages = event.serve(night, pages)
        return pages


class JudgeTest(unittest.TestCase):
    def judged(self, alerts, silent=()):
        """The judge after nine nights; `alerts` by night, kinds; on `silent`
        nights there are no records."""
        plan = FakePlan()
        oracle = accident_scores.Oracle("movie")
        every = {url: records for page in plan.pages
                 for url, records in record_of(page).items()}
        oracle.learn((), plan.pages, every)
        judge = accident_scores.Judge(plan, oracle)
        for night in range(1, 10):
            pages = plan.served(plan.site, night)
            judge.night(
                night, {"a.example": pages},
                every if pages[0].is_genuine and night not in silent else {},
                [accident_pipeline.Alert(
                    {"kind": kind, "site": "a.example", "message": "m"}, [])
                 for kind in alerts.get(night, [])],
                [("a.example", pages[0])] if night == 4 else [])
        return judge

    def test_noticed_and_back(self):
        judge = self.judged({4: ["site_blocked"], 5: ["site_blocked"]})
        (one,) = judge.outcomes
        self.assertEqual((one.harmful_since, one.noticed), (4, 4))
        self.assertTrue(one.is_back)
        self.assertTrue(one.was_fine)
        self.assertEqual((one.requests, one.wall_requests), (1, 1))
        self.assertEqual(sum(judge.false_alarms.values()), 0)
        self.assertEqual(judge.total.lost_records, 0)

    def test_noticed_late_or_by_the_wrong_kind(self):
        self.assertEqual(self.judged(
            {4: ["fill_drop"], 5: ["site_blocked"]}).outcomes[0].noticed, 5)
        self.assertIsNone(self.judged({4: ["fill_drop"]}).outcomes[0].noticed)

    def test_alert_of_before_notices_nothing(self):
        judge = self.judged({night: ["site_blocked"] for night in range(3, 6)})
        self.assertIsNone(judge.outcomes[0].noticed)

    def test_not_back(self):
        judge = self.judged({}, silent=(6,))
        self.assertFalse(judge.outcomes[0].is_back)
        self.assertEqual(judge.outcomes[0].score.lost_records, 20)

    def test_false_and_stale_alarms(self):
        judge = self.judged({2: ["site_changed"], 4: ["site_blocked"],
                             6: ["site_blocked"], 7: ["site_blocked"],
                             8: ["rule_restored"]})
        self.assertEqual(dict(judge.false_alarms),
                         {("a.example", "site_changed"): 1,
                          ("a.example", "site_blocked"): 1})
        self.assertEqual(judge.stale, 1)

    def test_alarm_of_a_site_that_is_down_is_true(self):
        judge = self.judged({7: ["records_drop"]}, silent=(6, 7))
        self.assertEqual(sum(judge.false_alarms.values()), 0)


class AlertTest(unittest.TestCase):
    def test_site_of_an_alert_that_names_it_in_words_only(self):
        sites = ["a.example", "www.a.example", "b.example"]
        for message, expected in (("rule of b.example.", "b.example"),
                                  ("www.a.example changed", "www.a.example"),
                                  ("a.example and b.example", ""),
                                  ("nothing", "")):
            with self.subTest(message):
                self.assertEqual(accident_pipeline.Alert(
                    {"kind": "k", "message": message}, sites).site, expected)


class WebTest(unittest.TestCase):
    def test_window_moves_and_grows(self):
        site = accident_web.Site(1, "a.example", "movie",
                                 {"page": [str(i) for i in range(100)]})
        first = {url for _, url in site.window(0, 1)}
        self.assertEqual(len(first), 40)
        self.assertEqual(len(first & {url for _, url in site.window(0.1, 1)}),
                         36)
        self.assertEqual(len(first & {url for _, url in site.window(0, 2)}), 40)
        self.assertEqual(len({url for _, url in site.window(0, 2)}), 80)


if __name__ == "__main__":
    unittest.main()

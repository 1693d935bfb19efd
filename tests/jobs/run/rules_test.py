#!/usr/bin/python3
"""rules_test.py TROMMEL: which rules serve night after night of `trommel run`,
when sites change, what is learnt does not pass, a person takes rules back, or
what rules were made for is gone."""
import json
import os
import shutil
import sys
import unittest

import nights

TROMMEL = sys.argv.pop(1)
DATES = nights.dates(6)

# films.example is rebuilt on the third day and again on the fourth, when
# screen.example is too, which says everything in capitals from then on.
FILMS = """
  daily_turnover: 0.05
  change { kind: REDESIGN day: 2 template: "detail" }
  change { kind: REDESIGN day: 3 template: "detail" }
"""
SCREEN = """
site {
  host: "screen.example"
  vertical: "movie"
  pages: 40
  change { kind: REDESIGN day: 3 template: "detail" }
}
"""
BOOKS = """
site {
  host: "books.example"
  vertical: "book"
  pages: 40
  daily_turnover: 0.05
  change { kind: REDESIGN day: 2 template: "detail" }
}
"""


def write_in_capitals(crawl, site):
    """The pages of a site: where the old values are, nobody can tell."""
    parquet = nights.crawl_to_jsonl.load_pyarrow()
    for part in crawl.glob("*.parquet"):
        table = parquet.read_table(part)
        rows = table.to_pylist()
        for row in rows:
            if f"//{site}/" in row["url"]:
                row["content"] = row["content"].upper()
        parquet.write_table(type(table).from_pylist(rows, table.schema), part)
        os.utime(part, (0, 0))  # nobody writes it any more
    (crawl / "_SUCCESS").unlink()


def alerts_of(result, kind):
    """Messages by site, from what --json printed."""
    return {alert.get("site", ""): alert["message"]
            for alert in json.loads(result.stdout)["alerts"]
            if alert["kind"] == kind}


def reason_of(result, name):
    return next(stage["reason"] for stage in json.loads(result.stdout)["stages"]
                if stage["stage"] == name)


class RulesTest(nights.NightsTest):
    trommel = TROMMEL

    @classmethod
    def make_done(cls, base):
        done = nights.Place(TROMMEL, base / "done")
        done.make_web(len(DATES), FILMS, SCREEN)
        for date in DATES[3:]:
            write_in_capitals(done.folder / f"web/day={date}/crawl",
                              "screen.example")
        (done.folder / "web/_SUCCESS").unlink()
        done.annotate()
        return done

    def night(self, place, date, expect=0):
        """A night that did not fail; what alerts make of the exit code is not
        the matter here."""
        return place.run(f"--date={date}", "--json", "--fail-on-alert=never",
                         expect=expect)

    def test_two_verticals(self):
        movie = nights.Vertical("movie", "annotations/{date}.jsonl",
                                ("films.example", "cinema.example"))
        book = nights.Vertical("book", "annotations/books-{date}.jsonl",
                               ("books.example",))
        place = nights.Place(TROMMEL, self.temp / "two",
                             verticals=(movie, book))
        place.make_web(4, more_sites=BOOKS)
        place.annotate()
        for date in DATES[:4]:
            self.night(place, date)
            movies = place.records(date, "movie")
            books = place.records(date, "book")
            self.assertEqual({row["site"] for row in movies}, set(movie.sites))
            self.assertEqual({row["site"] for row in books}, set(book.sites))
            self.assertIn("director", movies[0])
            self.assertNotIn("director", books[0])
            self.assertIn("isbn_13", books[0])
            self.assertGreater(len(books), 20)
        # The change of the one leaves the rules of the other alone.
        self.assertEqual(place.rules_by_site(DATES[0], "movie"),
                         place.rules_by_site(DATES[3], "movie"))
        self.assertNotEqual(place.rules_by_site(DATES[1], "book"),
                            place.rules_by_site(DATES[2], "book"))
        for vertical, other in ((movie, book), (book, movie)):
            sampled = (place.folder / f"work/samples/{vertical.name}" /
                       f"{DATES[0]}.sites").read_text().split()
            self.assertEqual(set(sampled), set(vertical.sites))
            self.assertTrue(set(sampled).isdisjoint(other.sites))

    def test_rule_that_is_not_valid_is_withheld(self):
        place = self.copy()
        before = place.rules_by_site(DATES[0])
        lines = place.annotations().read_text().splitlines(keepends=True)
        films = [annotation for annotation in map(json.loads, lines)
                 if "https://films.example/movie/" in annotation["url"]]
        urls = list(dict.fromkeys(film["url"] for film in films))
        kept = [film for film in films if film["url"] in urls[:2]]
        # An editor took the wrong row of a table: no rule finds both directors.
        runtime = next(film["value"] for film in kept if film["url"] == urls[1]
                       and film["attribute"] == "runtime")
        for film in kept:
            if film["url"] == urls[1] and film["attribute"] == "director":
                film["value"] = runtime
        place.annotations().write_text("".join(
            [line for line in lines if "//films.example/movie/" not in line] +
            [json.dumps(film) + "\n" for film in kept]))
        result = self.night(place, DATES[1])
        message = alerts_of(result, "rule_withheld")["films.example"]
        (serving,) = before["films.example"]
        self.assertRegex(message, "is withheld: not valid: precision .* until it "
                         f"passes, {serving} goes on serving")
        self.assertEqual(alerts_of(result, "rule_withdrawn"), {})
        self.assertEqual(place.rules_by_site(DATES[1]), before)
        self.assertEqual(place.version_of(DATES[1]), place.version_of(DATES[0]))
        # Said once a night, not once a run.
        again = self.night(place, DATES[1])
        self.assertEqual(again.stderr, "")
        # With the annotations as they were, nothing is in doubt.
        place.annotations().write_text("".join(lines))
        result = self.night(place, DATES[1])
        self.assertEqual(alerts_of(result, "rule_withheld"), {})
        self.assertEqual(place.rules_by_site(DATES[1]), before)

    def test_rule_that_fails_on_tonights_crawl_is_withheld(self):
        place = self.copy()
        self.night(place, DATES[1])
        self.night(place, DATES[2])
        repaired = place.rules_by_site(DATES[2])
        self.assertNotEqual(repaired, place.rules_by_site(DATES[1]))
        # An editor thinks better of the old sample, of before the change: what
        # is learnt without the ratings is valid there and broken here.
        lines = place.annotations().read_text().splitlines(keepends=True)
        place.annotations().write_text("".join(
            line for line in lines
            if "//films.example/" not in line or "mpaa_rating" not in line))
        result = self.night(place, DATES[2])
        statuses = nights.stage_statuses(result)
        self.assertEqual(statuses[f"check {DATES[2]}"], "done")
        message = alerts_of(result, "rule_withheld")["films.example"]
        self.assertIn("failed its field test on today's crawl", message)
        self.assertEqual(place.rules_by_site(DATES[2]), repaired)

    def test_date_that_is_run_again_keeps_what_it_had(self):
        place = self.copy()
        version = place.version_of(DATES[0])
        rules = place.rules_by_site(DATES[0])
        text = place.annotations().read_text()
        place.annotations().write_text(text + "oops\n")
        result = self.night(place, DATES[0], expect=1)
        statuses = nights.stage_statuses(result)
        self.assertEqual(statuses[f"learn movie {DATES[0]}"], "failed")
        self.assertEqual(place.version_of(DATES[0]), version)
        self.assertEqual(place.rules_by_site(DATES[0]), rules)
        # The folder with the annotations is not mounted, say.
        place.annotations().unlink()
        result = self.night(place, DATES[0])
        self.assertIn("is gone, and what was learnt from it stays in service",
                      alerts_of(result, "learning_failed")[""])
        self.assertEqual(place.version_of(DATES[0]), version)
        self.assertEqual(place.rules_by_site(DATES[0]), rules)
        # Rules go when that is what is wanted.
        place.annotations().write_text("")
        result = self.night(place, DATES[0])
        self.assertEqual(set(alerts_of(result, "rule_withdrawn")), set())
        self.assertEqual(place.records(DATES[0]), [])

    def test_reuse_that_fails_when_a_date_is_run_again(self):
        place = self.copy()
        self.night(place, DATES[1])
        self.night(place, DATES[2])
        version = place.version_of(DATES[2])
        place = nights.Place(
            TROMMEL, place.folder,
            more='stage { name: "reuse" flag: "--no-such-flag" }')
        result = self.night(place, DATES[2], expect=1)
        self.assertEqual(nights.stage_statuses(result)[f"reuse {DATES[2]}"],
                         "failed")
        self.assertEqual(place.version_of(DATES[2]), version)

    def test_site_that_changed_before_it_was_annotated(self):
        place = nights.Place(TROMMEL, self.temp / "late")
        place.take_web_of(self.done)
        shutil.rmtree(place.folder / "annotations")
        self.night(place, DATES[0])
        shutil.copytree(self.done.folder / "annotations",
                        place.folder / "annotations")
        result = self.night(place, DATES[2])
        self.assertIn("its cluster has no rule",
                      alerts_of(result, "rule_withheld")["films.example"])
        self.assertEqual(set(place.rules_by_site(DATES[2])),
                         {"cinema.example", "screen.example"})
        result = self.night(place, DATES[3])
        self.assertIn(f"it is sampled again: it lost a rule on {DATES[2]}",
                      alerts_of(result, "needs_annotation")["films.example"])
        result = self.night(place, DATES[4])
        self.assertEqual(nights.stage_statuses(result)[f"sample movie {DATES[4]}"],
                         "not needed")

    def test_two_verticals_want_one_cluster(self):
        place = self.copy()
        schemas = self.done.folder / "web/schemas"
        film = nights.Vertical("film", "annotations/film-{date}.jsonl")
        place = nights.Place(TROMMEL, place.folder,
                             verticals=(nights.MOVIE, film))
        (place.folder / "web/schemas/film.textproto").write_text(
            (schemas / "movie.textproto").read_text().replace(
                'name: "movie"', 'name: "film"'))
        before = place.rules_by_site(DATES[0])
        place.annotate(DATES[1])
        result = self.night(place, DATES[1])
        self.assertIn("is withheld: it is of schema film, and cluster",
                      alerts_of(result, "rule_withheld")["films.example"])
        self.assertEqual(place.rules_by_site(DATES[1]), before)

    def test_only_publish_does_not_do_without_the_check(self):
        place = self.copy()
        version = place.version_of(DATES[0])
        lines = place.annotations().read_text().splitlines(keepends=True)
        place.annotations().write_text("".join(
            line for line in lines if "mpaa_rating" not in line))
        place.run(f"--date={DATES[0]}", "--only=learn")
        result = place.run(f"--date={DATES[0]}", "--only=publish", "--json")
        self.assertIn("has not been through the check",
                      reason_of(result, f"publish {DATES[0]}"))
        self.assertEqual(place.version_of(DATES[0]), version)
        self.night(place, DATES[0])
        self.assertNotEqual(place.version_of(DATES[0]), version)

    def test_rules_are_carried_over_and_repaired_night_after_night(self):
        place = self.copy()
        rules, versions, reuse = {}, {}, {}
        for date in DATES:
            result = self.night(place, date)
            rules[date] = place.rules_by_site(date)
            versions[date] = place.version_of(date)
            reuse[date] = nights.stage_statuses(result)[f"reuse {date}"]
            if date == DATES[3]:
                self.check_two_sites_changed(result)
        # What it could not save it tries again every night.
        self.assertEqual([reuse[date] for date in DATES],
                         ["not needed", "not needed", "done", "done", "done",
                          "done"])
        # The version moves when rules do, and not otherwise.
        self.assertEqual(versions[DATES[0]], versions[DATES[1]])
        self.assertLess(versions[DATES[1]], versions[DATES[2]])
        self.assertLess(versions[DATES[2]], versions[DATES[3]])
        self.assertEqual(versions[DATES[3]], versions[DATES[5]])
        films = [rules[date]["films.example"] for date in DATES]
        self.assertEqual(films[0], films[1])
        self.assertEqual(films[3], films[5])
        self.assertEqual(len({frozenset(some) for some in films}), 3)
        for date in DATES:
            self.assertEqual(rules[date]["cinema.example"],
                             rules[DATES[0]]["cinema.example"])
        # Run again, every date is what it was.
        for date in DATES:
            self.assertIn("nothing to do",
                          place.run(f"--date={date}",
                                    "--fail-on-alert=never").stdout)

    def check_two_sites_changed(self, result):
        """One was repaired the night before, one never: what reuse needs of
        each is of another date. An editor is asked for the one that it cannot
        save."""
        self.assertEqual(set(alerts_of(result, "site_changed")),
                         {"films.example", "screen.example"})
        self.assertIn("it is sampled again: it has changed, and for some of its "
                      "pages no rule could be saved",
                      alerts_of(result, "needs_annotation")["screen.example"])

    def test_rollback_between_nights(self):
        place = self.copy()
        store = f"--store={place.folder}/rules"
        self.night(place, DATES[1])
        learnt = place.version_of(DATES[1])
        diff = json.loads(place.verb("rules", "diff", store, "v000001", learnt,
                                     "--json").stdout)
        self.assertGreater(len(diff["changes"]), 0)
        place.verb("rules", "rollback", store, "--to=v000001")
        taken_back = f"v{int(learnt[1:]) + 1:06d}"
        why = (rf"now with rules {taken_back} \(taken back to v000001\), before "
               rf"with rules {learnt} \(night of {DATES[0]}: ")
        dry = place.run(f"--date={DATES[1]}", "--dry-run").stdout
        self.assertRegex(dry, f"monitor {DATES[1]} +would run +{why}")
        result = self.night(place, DATES[1])
        self.assertRegex(result.stderr, f"extract {DATES[1]}: runs: {why}")
        self.assertEqual(place.version_of(DATES[1]), taken_back)
        for change in diff["changes"]:
            self.assertEqual(place.rules_by_site(DATES[1])[change["site"]],
                             {change["before"]})
        # The date before keeps what its records were made with.
        self.assertIn("nothing to do", place.run(f"--date={DATES[0]}").stdout)
        self.assertEqual(place.version_of(DATES[0]), learnt)
        # And forward again.
        place.verb("rules", "rollback", store, f"--to={learnt}")
        self.night(place, DATES[1])
        self.assertEqual(place.rules_by_site(DATES[1]),
                         place.rules_by_site(DATES[0]))

    def check_sampled_again(self, place, why, expect=0):
        """On the third night films.example has changed; its rules give no
        records, those of the others do, and an editor is asked, once."""
        self.night(place, DATES[1])
        result = self.night(place, DATES[2], expect=expect)
        self.assertEqual(nights.stage_statuses(result)[f"sample movie {DATES[2]}"],
                         "done")
        asked = alerts_of(result, "needs_annotation")["films.example"]
        self.assertIn("it is sampled again: it has changed", asked)
        self.assertIn(why, asked)
        self.assertIn(f"{DATES[2]}/annotate.html", asked)
        self.assertEqual(set(alerts_of(result, "records_drop")),
                         {"films.example"})
        rules = place.rules_by_site(DATES[2])
        self.assertEqual(set(rules), {"cinema.example", "screen.example"})
        self.assertEqual(
            (place.folder / f"work/samples/movie/{DATES[2]}.sites").read_text(),
            "films.example\n")
        return result

    def test_what_reuse_needs_is_gone(self):
        for what, why in (("web/day={}/crawl", "the crawl that its rules are for"),
                          ("work/day={}", "the clusters that its rules are for")):
            with self.subTest(what):
                place = self.copy()
                shutil.rmtree(place.folder / what.format(DATES[0]))
                result = self.check_sampled_again(place, why)
                self.assertIn(f"nothing can be saved of 1 changed site: "
                              f"films.example: {why}",
                              reason_of(result, f"reuse {DATES[2]}"))
                self.assertIn("nothing to do",
                              place.run(f"--date={DATES[2]}", expect=3).stdout)

    def test_editor_is_asked_once_and_answers(self):
        place = self.copy()
        # A folder that was emptied is gone, too.
        for part in (place.folder / f"web/day={DATES[0]}/crawl").iterdir():
            part.unlink()
        self.check_sampled_again(place, "the crawl that its rules are for is gone")
        place.annotate(DATES[2])
        self.assertIn("films.example", place.rules_by_site(DATES[2]))
        self.assertEqual(place.rules_by_site(DATES[2])["cinema.example"],
                         place.rules_by_site(DATES[1])["cinema.example"])
        # The next change finds all that reuse needs.
        result = self.night(place, DATES[3])
        self.assertEqual(nights.stage_statuses(result)[f"reuse {DATES[3]}"],
                         "done")

    def test_reuse_is_off(self):
        place = self.copy(more='stage { name: "reuse" off: true }')
        self.check_sampled_again(place, "the stage reuse, which could have saved "
                                 "its rules, is off")

    def test_reuse_fails(self):
        place = self.copy(more='stage { name: "reuse" flag: "--no-such-flag" }')
        result = self.check_sampled_again(place, "has failed", expect=1)
        failed = alerts_of(result, "stage_failed")[""]
        self.assertIn(f"reuse {DATES[2]} failed", failed)
        self.assertIn("--no-such-flag", failed)

    def test_nobody_could_be_asked_on_the_night_of_the_change(self):
        place = self.copy(more='stage { name: "cluster" flag: "--no-such-flag" }')
        self.night(place, DATES[1], expect=1)
        result = self.night(place, DATES[2], expect=1)
        self.assertEqual(nights.stage_statuses(result)[f"sample movie {DATES[2]}"],
                         "blocked")
        self.assertEqual(set(place.rules_by_site(DATES[2])),
                         {"cinema.example", "screen.example"})
        place = nights.Place(TROMMEL, place.folder)  # without the mistake
        asked = alerts_of(self.night(place, DATES[3]),
                          "needs_annotation")["films.example"]
        self.assertIn(f"it is sampled again: it lost a rule on {DATES[2]}", asked)
        result = self.night(place, DATES[4])
        self.assertEqual(nights.stage_statuses(result)[f"sample movie {DATES[4]}"],
                         "not needed")


if __name__ == "__main__":
    unittest.main()

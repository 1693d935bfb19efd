#!/usr/bin/python3
"""run_test.py TROMMEL: whole nights of `trommel run` on a generated web."""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

import nights

TROMMEL = sys.argv.pop(1)
NEXT = "2026-01-02"


class RunTest(nights.NightsTest):
    trommel = TROMMEL

    @classmethod
    def make_done(cls, base):
        annotated = nights.Place(TROMMEL, base / "first")
        annotated.make_web(3)
        annotated.annotate()
        done = nights.Place(TROMMEL, base / "done")
        done.take_web_of(annotated)
        done.run(f"--date={nights.FIRST}")
        return done

    def fresh(self, **settings):
        place = nights.Place(TROMMEL, self.temp / "fresh",
                             **settings)
        place.take_web_of(self.done)
        return place

    def test_first_night_without_an_editor(self):
        place = self.fresh()
        shutil.rmtree(place.folder / "annotations")
        result = place.run(f"--date={nights.FIRST}", "--json")
        statuses = nights.stage_statuses(result)
        self.assertEqual(statuses[f"cluster {nights.FIRST}"], "done")
        self.assertEqual(statuses[f"sample movie {nights.FIRST}"], "done")
        self.assertEqual(statuses[f"learn movie {nights.FIRST}"], "not needed")
        self.assertEqual(statuses[f"extract {nights.FIRST}"], "not needed")
        self.assertIn("needs_annotation", result.stderr)
        self.assertIn("annotate.html", result.stderr)
        # With --fail-on-alert cron hears of it, as long as it is open.
        place.run(f"--date={nights.FIRST}", expect=0)
        for severity, code in (("info", 3), ("warning", 3), ("critical", 0),
                               ("never", 0)):
            place.run(f"--date={nights.FIRST}", f"--fail-on-alert={severity}",
                      expect=code)

    def test_rules_are_published_and_records_extracted(self):
        place = self.done
        self.assertEqual(place.current_rules(), "v000001")
        records = json.loads(
            (place.folder / f"records/date={nights.FIRST}/_SUCCESS").read_text())
        self.assertGreater(records["counts"]["records.written"], 20)
        for name in ("run.json", "run.html"):
            self.assertTrue(
                (place.folder / f"reports/day={nights.FIRST}" / name).is_file())
        page = (place.folder /
                f"reports/day={nights.FIRST}/run.html").read_text()
        self.assertIn("<svg", page)
        self.assertNotIn("http://", page.replace("http://www.w3.org", ""))
        metrics = (place.folder / "reports/metrics.prom").read_text()
        self.assertIn("\ntrommel_records ", metrics)
        self.assertIn('trommel_stage_seconds{stage="extract"}', metrics)
        self.assertFalse((place.folder / "reports/run.lock").exists())

    def test_tables_are_apart_and_state_is_elsewhere(self):
        place = self.done
        for table, files in (("records", "schema=movie/part-*.parquet"),
                             ("rejects", "part-*.parquet"),
                             ("figures", "part-*.parquet")):
            night = place.folder / table / f"date={nights.FIRST}"
            left = {path for path in (place.folder / table).rglob("*")
                    if path.is_file()}
            parts = set(night.glob(files))
            self.assertTrue(parts)
            self.assertEqual(left, {night / "_SUCCESS", *parts})
            listed = json.loads((night / "_SUCCESS").read_text())["shards"]
            self.assertEqual({night / shard["file"] for shard in listed}, parts)

    def test_night_of_a_former_version(self):
        place = self.copy()
        before = place.rows()
        nights.give_former_layout(place, nights.FIRST)
        # It is read as it is,
        truth = f"--truth={place.folder}/web/day={nights.FIRST}/truth.jsonl"
        night = f"--records={place.folder}/records/date={nights.FIRST}"
        scores = place.verb("eval", truth, night).stdout
        # the next night gives it the layout of today,
        result = place.run(f"--date={NEXT}")
        self.assertIn("the records of 1 night had the layout of a former "
                      "version", result.stderr)
        self.assertEqual(nights.difference(before, {
            where: rows for where, rows in place.rows().items()
            if where in before}), "")
        self.assertEqual(place.verb("eval", truth, night).stdout, scores)
        # and neither is extracted again.
        self.assertIn("nothing to do",
                      place.run(f"--date={nights.FIRST}").stdout)
        self.assertNotIn("former", place.run(f"--date={NEXT}").stderr)

    def test_attribute_called_date(self):
        place = self.fresh()
        schema = place.folder / "dated.textproto"
        schema.write_text('name: "movie" attribute { name: "date" }\n')
        place.pipeline.write_text(place.pipeline.read_text().replace(
            "web/schemas/movie.textproto", schema.name))
        result = place.run(f"--date={nights.FIRST}", expect=1)
        self.assertIn("dated.textproto: the attribute date is called like the "
                      "column of a pipeline's records", result.stderr)

    def test_second_run_does_nothing_and_says_so(self):
        place = self.done
        self.assertLess(place.seconds_idle(f"--date={nights.FIRST}"), 1)
        self.assertIn("0 stages would run",
                      place.run(f"--date={nights.FIRST}", "--dry-run").stdout)

    def test_least_confidence_is_of_the_pipeline(self):
        place = self.copy()
        night = f"--date={nights.FIRST}"

        def ask_for(confidence):
            place.pipeline.write_text(re.sub(
                "limits {.*", f"limits {{ min_confidence: {confidence}",
                place.pipeline.read_text()))

        def records():
            counts = json.loads(
                (place.folder / f"records/date={nights.FIRST}/_SUCCESS")
                .read_text())["counts"]
            return counts["records.written"], counts.get("records.doubtful", 0)

        def delivered():
            return {where: rows for where, rows in place.rows().items()
                    if where.startswith(("records", "rejects", "figures"))}

        before = delivered()
        written = records()[0]
        ask_for(1)
        self.assertRegex(place.run(night, "--dry-run").stdout,
                         f"extract {nights.FIRST} +would run .*"
                         "--min-confidence=1")
        result = place.run(night, "--json")
        statuses = nights.stage_statuses(result)
        self.assertEqual(statuses[f"extract {nights.FIRST}"], "done")
        self.assertEqual(statuses[f"cluster {nights.FIRST}"], "unchanged")
        self.assertEqual(sum(records()), written)
        self.assertIn("nothing to do", place.run(night).stdout)
        ask_for(0)
        place.run(night)
        self.assertEqual(nights.difference(before, delivered()), "")

    def test_later_nights(self):
        place = self.copy()
        dry = place.run(f"--date={NEXT}", "--dry-run").stdout
        self.assertRegex(dry, f"cluster {NEXT} +would run +no output yet")
        self.assertFalse((place.folder / f"work/day={NEXT}").exists())
        statuses = nights.stage_statuses(place.run(f"--date={NEXT}", "--json"))
        self.assertEqual(statuses[f"sample movie {NEXT}"], "not needed")
        self.assertEqual(statuses[f"monitor {NEXT}"], "done")
        self.assertEqual(statuses[f"reuse {NEXT}"], "not needed")
        self.assertEqual(statuses[f"extract {NEXT}"], "done")
        self.assertEqual(place.current_rules(), "v000001")
        # An annotation more for the first sample is learnt from on the next
        # night, and that night's rules are published again.
        with (place.folder /
              f"annotations/{nights.FIRST}.jsonl").open("a") as out:
            out.write("\n")
        result = place.run(f"--date={NEXT}", "--json")
        statuses = nights.stage_statuses(result)
        self.assertEqual(statuses[f"learn movie {nights.FIRST}"], "done")
        self.assertIn("annotations has changed", result.stderr)
        # The same rules came out: what follows has nothing to do.
        self.assertEqual(statuses[f"extract {NEXT}"], "unchanged")

    def test_only_and_no_resume(self):
        place = self.copy()
        statuses = nights.stage_statuses(
            place.run(f"--date={NEXT}", "--only=cluster", "--json"))
        self.assertEqual(statuses[f"cluster {NEXT}"], "done")
        self.assertEqual(statuses[f"extract {NEXT}"], "not asked for")
        result = place.run(f"--date={NEXT}", "--only=cluster",
                           "--resume=false", "--json")
        self.assertEqual(nights.stage_statuses(result)[f"cluster {NEXT}"],
                         "done")
        self.assertIn("--resume=false", result.stderr)

    def test_only_says_why_there_is_nothing_to_do(self):
        place = self.fresh()
        result = place.run(f"--date={NEXT}", "--only=extract")
        self.assertRegex(result.stdout, f"^extract {NEXT} +not needed +no rules "
                         f"are published for this date\n{NEXT}: nothing to do\n")
        dry = place.run(f"--date={NEXT}", "--only=cluster", "--dry-run").stdout
        self.assertRegex(dry, f"cluster {NEXT} +would run +no output yet")
        self.assertIn("\n1 stage would run", dry)

    def test_rollback_and_diff(self):
        place = self.copy()
        store = f"--store={place.folder}/rules"
        listing = place.verb("rules", "list", store).stdout
        self.assertRegex(listing, r"\* v000001 +- +2 .*night of 2026-01-01")
        place.verb("rules", "rollback", store)
        listing = place.verb("rules", "list", store).stdout
        self.assertRegex(listing, r"\* v000002 +v000001 +0 .*taken back")
        diff = place.verb("rules", "diff", store, "v000001", "v000002").stdout
        self.assertIn("removed films.example", diff)
        self.assertRegex(diff, r"\n      - /")
        # The night does not bring back what a person took back, and says what
        # that means.
        result = place.run(f"--date={NEXT}", expect=3)
        self.assertIn("0 records, 0.0% of the usual", result.stdout)
        self.assertEqual(place.current_rules(), "v000002")
        place.verb("rules", "rollback", store, "--to=v000001")
        self.assertEqual(
            place.verb("rules", "diff", store, "v000001", "v000003").stdout,
            "2 rules of v000001 to 2 rules of v000003: no difference\n")
        place.verb("rules", "rollback", store, "--to=v000009", expect=1)

    def add_hook(self, place):
        """Alerts arrive in a file, unless mail is down. The command runs in
        the folder of the pipeline."""
        (place.folder / "hook").write_text(
            "test ! -e down || exit 7\ncat >>alerts.jsonl\n")
        with place.pipeline.open("a") as out:
            out.write('on_alert: "sh hook"\n')

    def told(self, place):
        """Kinds of the alerts that arrived, but for those that have ended."""
        path = place.folder / "alerts.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        alerts = map(json.loads, lines)
        return [alert["kind"] for alert in alerts if "resolved" not in alert]

    def test_alert_is_kept_until_it_can_be_delivered(self):
        place = self.fresh()
        self.add_hook(place)
        (place.folder / "down").touch()
        shutil.rmtree(place.folder / "annotations")
        result = place.run(f"--date={nights.FIRST}")
        self.assertIn("exit code 7", result.stderr)
        self.assertIn("the run goes on", result.stderr)
        self.assertIn("2 alerts could not be delivered by on_alert",
                      result.stderr)
        self.assertEqual(self.told(place), [])
        # An idle run tries again.
        result = place.run(f"--date={nights.FIRST}")
        self.assertIn("nothing to do", result.stdout)
        self.assertIn("2 alerts could not be delivered", result.stderr)
        (place.folder / "down").unlink()
        for _ in range(2):
            result = place.run(f"--date={nights.FIRST}")
            self.assertEqual(result.stderr, "")
            self.assertEqual(self.told(place), ["needs_annotation"] * 2)

    def test_unchanged_alert_is_told_once(self):
        place = self.copy()
        self.add_hook(place)
        annotations = place.annotations()
        good = annotations.read_text()
        for _ in range(2):
            annotations.write_text(good + "this is no JSON\n")
            for _ in range(2):
                result = place.run(f"--date={NEXT}", "--json", expect=1)
                alerts = json.loads(result.stdout)["alerts"]
                self.assertEqual([alert["kind"] for alert in alerts],
                                 ["stage_failed"])
            # Once it was well again, the same is news.
            annotations.write_text(good)
            place.run(f"--date={NEXT}")
        self.assertEqual(self.told(place), ["stage_failed"] * 2)
        self.assertIn('"resolved":',
                      (place.folder / "alerts.jsonl").read_text())

    def test_missing_crawl_is_told_once(self):
        place = self.copy()
        self.add_hook(place)
        missing = ("--from=2025-12-31", f"--to={nights.FIRST}")
        for _ in range(2):
            self.assertIn("nothing to do", place.run(*missing).stdout)
            self.assertEqual(self.told(place), ["crawl_missing"])

    def test_run_that_cannot_begin_tells_of_it(self):
        place = nights.Place(TROMMEL, self.temp / "empty")
        self.add_hook(place)
        place.run("--dry-run", expect=1)
        self.assertEqual(self.told(place), [])
        for _ in range(2):
            self.assertIn("no crawl has arrived", place.run(expect=1).stderr)
        self.assertEqual(self.told(place), ["crawl_missing"])
        # A folder of crawls that no file system has is another matter.
        place.pipeline.write_text(
            place.pipeline.read_text().replace("web/day=", "w" * 300 + "/day="))
        place.run(expect=1)
        self.assertEqual(self.told(place), ["crawl_missing", "stage_failed"])

    def metrics(self, place):
        """Those without labels, by name."""
        lines = (place.folder / "reports/metrics.prom").read_text().splitlines()
        return {line.split()[0].removeprefix("trommel_"): float(line.split()[1])
                for line in lines if line[0] != "#" and "{" not in line}

    def run_json(self, place, date):
        return json.loads(
            (place.folder / f"reports/day={date}/run.json").read_text())

    def test_reports_tell_of_failures_as_long_as_there_are_any(self):
        place = self.copy()
        good = place.pipeline.read_text()
        place.run(f"--date={NEXT}")
        place.pipeline.write_text(good + 'ready { marker: "COMPLETE" }')
        place.run(f"--date={NEXT}", expect=1)
        self.assertGreater(self.metrics(place)["stages_failed"], 1)
        self.assertEqual(self.run_json(place, NEXT)["failed"], 1)
        place.pipeline.write_text(good)
        self.assertIn("nothing to do", place.run(f"--date={NEXT}").stdout)
        self.assertEqual(self.metrics(place)["stages_failed"], 0)
        self.assertEqual(self.run_json(place, NEXT)["failed"], 0)
        self.assertEqual(self.run_json(place, NEXT)["alerts"], [])

    def test_part_of_a_night_leaves_the_nights_report(self):
        place = self.copy()
        place.run(f"--date={NEXT}")
        before = self.metrics(place)
        report = self.run_json(place, NEXT)
        self.assertGreater(before["records"], 20)
        result = place.run(f"--date={NEXT}", "--only=coverage",
                           "--resume=false")
        self.assertIn("1 run", result.stdout)
        self.assertNotIn("run.html", result.stdout)
        self.assertEqual(self.metrics(place), before)
        self.assertEqual(self.run_json(place, NEXT), report)

    def test_metrics_are_of_the_latest_date(self):
        place = self.copy()
        place.run(f"--date={NEXT}")
        after = self.metrics(place)
        self.assertEqual(after["rules"], 2)
        place.run(f"--date={nights.FIRST}", "--resume=false")
        self.assertEqual(self.metrics(place), after)
        # Of a crawl that did not come nothing is known, but of the rules.
        place.run("--date=2026-01-09", expect=1)
        missing = self.metrics(place)
        self.assertEqual(missing["rules"], 2)
        self.assertGreater(missing["stages_failed"], 0)
        self.assertNotIn("pages", missing)
        self.assertNotIn("records", missing)

    def test_failure_stops_only_what_depends_on_it(self):
        place = self.copy()
        with (place.folder /
              f"annotations/{nights.FIRST}.jsonl").open("a") as out:
            out.write("this is no JSON\n")
        result = place.run(f"--date={NEXT}", "--json", expect=1)
        statuses = nights.stage_statuses(result)
        self.assertEqual(statuses[f"learn movie {nights.FIRST}"], "failed")
        self.assertEqual(statuses[f"extract {NEXT}"], "done")
        failed = [alert for alert in json.loads(result.stdout)["alerts"]
                  if alert["kind"] == "stage_failed"]
        self.assertEqual(len(failed), 1)
        self.assertIn(f"{nights.FIRST}.jsonl:", failed[0]["message"])

    def test_two_runs_keep_apart(self):
        place = self.copy()
        lock = place.folder / "reports/run.lock"
        boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text()
        holder = {"host": os.uname().nodename, "boot_id": boot.strip(),
                  "pid": os.getpid(), "since": "2026-01-01T00:00:00Z",
                  "start_ticks": int(pathlib.Path("/proc/self/stat").read_text()
                                     .rsplit(")", 1)[1].split()[19])}
        lock.write_text(json.dumps(holder))
        result = place.run(expect=1)
        self.assertIn(f"another run is going on: process {os.getpid()}",
                      result.stderr)
        lock.write_text(json.dumps({**holder, "start_ticks": 1}))
        self.assertIn("that number is another process now",
                      place.run(f"--date={nights.FIRST}").stderr)
        lock.write_text(json.dumps({**holder, "host": "elsewhere"}))
        result = place.run(expect=1)
        self.assertIn(f"rm {lock}", result.stderr)


if __name__ == "__main__":
    unittest.main()

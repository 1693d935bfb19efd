#!/usr/bin/python3
"""run_test.py TROMMEL: whole nights of `trommel run` on a generated web."""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import nights

TROMMEL = sys.argv.pop(1)
NEXT = "2026-01-02"


class RunTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # One web whose first night is done serves all tests; each works on a
        # copy of it.
        cls.base = tempfile.TemporaryDirectory()
        annotated = nights.Place(TROMMEL, pathlib.Path(cls.base.name) / "first")
        annotated.make_web(3)
        annotated.annotate()
        cls.done = nights.Place(TROMMEL, pathlib.Path(cls.base.name) / "done")
        cls.done.take_web_of(annotated)
        cls.done.run(f"--date={nights.FIRST}")

    @classmethod
    def tearDownClass(cls):
        cls.base.cleanup()

    def setUp(self):
        self.temp = tempfile.TemporaryDirectory()
        self.addCleanup(self.temp.cleanup)

    def fresh(self, **settings):
        place = nights.Place(TROMMEL, pathlib.Path(self.temp.name) / "fresh",
                             **settings)
        place.take_web_of(self.done)
        return place

    def copy(self, **settings):
        folder = pathlib.Path(self.temp.name) / "copy"
        shutil.copytree(self.done.folder, folder, symlinks=True)
        return nights.Place(TROMMEL, folder, **settings)

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
        # With --fail-on-alert cron hears of it; nothing has changed since.
        place.run(f"--date={nights.FIRST}", "--fail-on-alert", expect=0)
        shutil.rmtree(place.folder / "work")
        place.run(f"--date={nights.FIRST}", "--fail-on-alert", expect=3)

    def test_rules_are_published_and_records_extracted(self):
        place = self.done
        self.assertEqual((place.folder / "rules/CURRENT").read_text(),
                         "v000001\n")
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

    def test_second_run_does_nothing_and_says_so(self):
        place = self.done
        self.assertLess(place.seconds_idle(f"--date={nights.FIRST}"), 1)
        self.assertIn("0 stages would run",
                      place.run(f"--date={nights.FIRST}", "--dry-run").stdout)

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
        self.assertEqual((place.folder / "rules/CURRENT").read_text(),
                         "v000001\n")
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
        # The night does not bring back what a person took back.
        place.run(f"--date={NEXT}")
        self.assertEqual((place.folder / "rules/CURRENT").read_text(),
                         "v000002\n")
        place.verb("rules", "rollback", store, "--to=v000001")
        self.assertEqual(
            place.verb("rules", "diff", store, "v000001", "v000003").stdout,
            "2 rules of v000001 to 2 rules of v000003: no difference\n")
        place.verb("rules", "rollback", store, "--to=v000009", expect=1)

    def test_alert_hook(self):
        # It runs in the folder of the pipeline.
        place = self.fresh(
            more='on_alert: "cat >>alerts.jsonl; sleep 0; exit 7"')
        shutil.rmtree(place.folder / "annotations")
        result = place.run(f"--date={nights.FIRST}")
        alert = json.loads((place.folder / "alerts.jsonl").read_text())
        self.assertEqual(alert["kind"], "needs_annotation")
        self.assertEqual(alert["date"], nights.FIRST)
        self.assertIn("exit code 7", result.stderr)
        self.assertIn("the run goes on", result.stderr)

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

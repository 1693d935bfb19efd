#!/usr/bin/python3
"""trouble_test.py TROMMEL: what goes wrong at night, and what `trommel run`
tells the person who is woken up: which file, what is wrong with it, what to do;
and that the rest of the night goes on."""
import contextlib
import json
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

import nights

TROMMEL = sys.argv.pop(1)
NEXT = "2026-01-02"
LATER = "2026-01-03"


@contextlib.contextmanager
def small_disk(folder, size):
    """A file system of its own in the folder; only root can have one."""
    folder.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
        capture_output=True, text=True, check=False)
    if mount.returncode != 0:
        why = f"NOT TESTED: no full disk without a small tmpfs: {mount.stderr}"
        print(why, file=sys.stderr)
        raise unittest.SkipTest(why)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


class TroubleTest(nights.NightsTest):
    trommel = TROMMEL

    @classmethod
    def make_done(cls, base):
        done = nights.Place(TROMMEL, base / "done")
        done.make_web(3)
        done.annotate()
        return done

    def edit(self, place, old, new):
        text = place.pipeline.read_text()
        self.assertIn(old, text)
        place.pipeline.write_text(text.replace(old, new))

    def statuses(self, place, expect):
        """Of the stages by kind, once the night has been run."""
        result = place.run(f"--date={NEXT}", "--json", expect=expect)
        return result, {stage["kind"]: stage["status"]
                        for stage in json.loads(result.stdout)["stages"]
                        if stage["date"] == NEXT}

    def alerts(self, result):
        return [alert["message"] for alert in json.loads(result.stdout)["alerts"]
                if alert["kind"] == "stage_failed"]

    # A pipeline file with a typo: nothing runs, and the exit code says so.

    def test_typos_in_the_pipeline(self):
        for old, new, message in (
                ("limits {", "limitts {",
                 r':\d+:\d+: .*"limitts". Did you mean "limits"\?'),
                ("attempts:", "attemps:",
                 r':\d+:\d+: .*"attemps". Did you mean "attempts"\?'),
                ('"movie"', '"movie',
                 r":\d+:\d+: .* Is a quote missing at the end of the line\?"),
                ("max_backoff_s: 0.2\n}", "",
                 r":\d+:\d+: .* the file ends here. Is a } missing\?"),
                ("}\n\nengine", "engine",
                 r":\d+:\d+: .*Pipeline has it: is a } missing before\?"),
                ("attempts: 2", 'attempts: "two"',
                 r':\d+:\d+: Expected integer, got: "two"'),
                ("day={date}", "day=today", "crawl must be a path with {date}"),
                ("engine {", 'stage { name: "clster" } engine {',
                 'stage "clster" does not exist; there are crawl, cluster')):
            with self.subTest(new):
                place = self.copy()
                self.edit(place, old, new)
                result = place.run(f"--date={NEXT}", expect=2)
                self.assertRegex(result.stderr,
                                 f"^trommel run: {place.pipeline}.*{message}")
                self.assertEqual(result.stdout, "")
                self.assertFalse((place.folder / f"work/day={NEXT}").exists())

    def test_no_pipeline(self):
        place = self.copy()
        place.pipeline.unlink()
        self.assertIn(f"{place.pipeline} does not exist",
                      place.run(expect=2).stderr)
        place.pipeline.mkdir()
        self.assertIn(f"{place.pipeline} is a folder; a pipeline is a file",
                      place.run(expect=2).stderr)

    def test_flag_that_its_verb_does_not_take(self):
        place = self.copy(more='stage { name: "cluster" flag: "--mrge=false" }')
        result, statuses = self.statuses(place, expect=1)
        (message,) = self.alerts(result)
        self.assertIn("--mrge=false", message)
        self.assertIn('Correct the pipeline: flags come from stage { name: '
                      '"cluster" flag: ... }', message)
        self.assertEqual(statuses["cluster"], "failed")
        self.assertEqual(statuses["sample"], "blocked")
        self.assertEqual(statuses["extract"], "done")

    def test_stages_without_what_another_would_have_left(self):
        for off, idle in (("monitor", ["reuse"]),
                          ("cluster", ["reuse", "sample"]),
                          ("sample", ["learn"])):
            with self.subTest(off):
                place = self.copy(more=f'stage {{ name: "{off}" off: true }}')
                place.annotations(NEXT).touch()
                result, statuses = self.statuses(place, expect=0)
                self.assertNotIn(off, statuses)
                self.assertEqual([statuses[stage] for stage in idle],
                                 ["not needed"] * len(idle))
                self.assertIn(f"nothing from {off} {NEXT}: the stage is off",
                              self.reasons(result))
                self.assertEqual(statuses["extract"], "done")

    def test_only_one_stage_on_what_is_not_there(self):
        place = self.copy()
        for stage, missing in (("reuse", "cluster"), ("sample", "cluster")):
            result = place.run(f"--date={NEXT}", f"--only={stage}", "--json")
            self.assertIn(f"nothing from {missing} {NEXT} yet",
                          self.reasons(result))
        shutil.rmtree(place.folder / "rules")
        result = place.run(f"--date={NEXT}", "--only=reuse", "--json")
        self.assertIn("there were no rules before this date",
                      self.reasons(result))

    def reasons(self, result):
        return [stage["reason"] for stage in json.loads(result.stdout)["stages"]]

    # A missing schema: its vertical learns nothing; the rest goes on.

    def test_missing_schema(self):
        place = self.copy()
        self.edit(place, "movie.textproto", "films.textproto")
        result, statuses = self.statuses(place, expect=1)
        (message,) = self.alerts(result)
        schema = place.folder / "web/schemas/films.textproto"
        self.assertIn(f'vertical "movie": schema: {schema} does not exist; put it '
                      "there, or correct the pipeline", message)
        # Said at once, too, not only when the time comes.
        self.assertIn("films.textproto", result.stderr.splitlines()[0])
        self.assertIn("the rest of the run goes on",
                      result.stderr.splitlines()[0])
        self.assertEqual(statuses["sample"], "failed")
        self.assertEqual(statuses["extract"], "done")
        self.assertEqual(place.rules_by_site(NEXT),
                         place.rules_by_site(nights.FIRST))
        # With the schema in its place nothing is run that has been.
        (place.folder / "web/schemas/movie.textproto").rename(schema)
        _, statuses = self.statuses(place, expect=0)
        self.assertEqual(statuses["extract"], "unchanged")

    def test_typo_in_a_schema(self):
        place = self.copy()
        schema = place.folder / "web/schemas/movie.textproto"
        schema.write_text(schema.read_text().replace("mandatory", "mandatry"))
        result, statuses = self.statuses(place, expect=1)
        (message,) = self.alerts(result)
        self.assertRegex(message, f"{schema}:\\d+:\\d+: .*Did you mean "
                         '"mandatory"?')
        self.assertEqual(statuses["extract"], "done")

    # Crawls that are not there, not all there, or not what they should be.

    def test_missing_crawl(self):
        place = self.copy()
        result = place.run("--date=2025-12-31", expect=1)
        self.assertRegex(result.stderr,
                         "no crawl has arrived: .*/day=2025-12-31/crawl does not "
                         "exist. Run again when it does")
        # In a range a day without a crawl is an alert; the others go on.
        result = place.run("--from=2025-12-31", f"--to={nights.FIRST}")
        self.assertIn("crawl_missing", result.stderr)

    def crawl(self, place):
        """Tonight's crawl: its folder and its file."""
        folder = place.folder / f"web/day={NEXT}/crawl"
        (part,) = folder.glob("part-*.parquet")
        return folder, part

    def test_half_written_crawl(self):
        place = self.copy()
        crawl, part = self.crawl(place)
        whole = part.read_bytes()
        part.write_bytes(whole[:1000])
        result, statuses = self.statuses(place, expect=1)
        (message,) = self.alerts(result)
        self.assertIn(f"the crawl is still being written: {crawl}: {part.name} "
                      f"has 1000 of {len(whole)} bytes. Run again when it is "
                      "complete", message)
        self.assertEqual(statuses["extract"], "blocked")
        # From elsewhere, without a manifest: by age, or by a marker.
        part.write_bytes(whole)
        (crawl / "_SUCCESS").unlink()
        result = place.run(f"--date={NEXT}", expect=1)
        self.assertIn("nothing has changed for 600 s", result.stderr)
        place.pipeline.write_text(place.pipeline.read_text() +
                                  'ready { marker: "COMPLETE" }\n')
        result = place.run(f"--date={NEXT}", expect=1)
        self.assertIn("its marker COMPLETE is not there yet", result.stderr)
        (crawl / "COMPLETE").touch()
        place.run(f"--date={NEXT}")

    def test_unreadable_crawl(self):
        for what, content in (("no Parquet", b"this is no Parquet file" * 100),
                              ("half of one", None), ("empty", b"")):
            with self.subTest(what):
                place = self.copy(more="ready { quiet_s: 1 }")
                crawl, part = self.crawl(place)
                (crawl / "_SUCCESS").unlink()
                whole = part.read_bytes()
                part.write_bytes(whole[:len(whole) // 2] if content is None
                                 else content)
                time.sleep(1.1)
                result, statuses = self.statuses(place, expect=1)
                # One message, not one from every stage.
                (message,) = self.alerts(result)
                self.assertIn(f"the crawl cannot be read: {part}: ", message)
                self.assertIn("Have it delivered again", message)
                self.assertEqual(statuses["crawl"], "failed")
                self.assertEqual(statuses["extract"], "blocked")
                self.assertFalse((place.folder / "reports/run.lock").exists())
                part.write_bytes(whole)
                time.sleep(1.1)
                place.run(f"--date={NEXT}")

    def test_crawl_that_is_broken_inside(self):
        place = self.copy()
        crawl, part = self.crawl(place)
        rotten = bytearray(part.read_bytes())
        rotten[3000:6000] = b"z" * 3000
        part.write_bytes(rotten)
        result, statuses = self.statuses(place, expect=1)
        self.assertIn("again in", result.stderr)
        for message in self.alerts(result):
            self.assertIn(f"{part}: row group 0: ", message)
            self.assertIn(f"Have the crawl {crawl} delivered again", message)
        self.assertEqual(statuses["cluster"], "failed")
        self.assertEqual(statuses["sample"], "blocked")
        self.assertEqual(statuses["publish"], "done")

    def test_bad_day_is_not_that_of_the_days_after(self):
        for what, content in (("no Parquet", b"this is no Parquet file" * 100),
                              ("half of one", None)):
            with self.subTest(what):
                place = self.copy(more="ready { quiet_s: 1 }")
                crawl, part = self.crawl(place)
                if content:
                    (crawl / "_SUCCESS").unlink()
                part.write_bytes(content or part.read_bytes()[:1000])
                time.sleep(1.1)
                place.run(f"--date={NEXT}", expect=1)
                statuses = nights.stage_statuses(
                    place.run(f"--date={LATER}", "--json"))
                self.assertEqual(statuses[f"coverage {LATER}"], "done")
                self.assertEqual(statuses[f"extract {LATER}"], "done")

    # Full disks.

    def test_disk_of_records_is_full(self):
        place = self.copy(more='records: "disk/records"')
        with small_disk(place.folder / "disk", "16k") as disk:
            result, statuses = self.statuses(place, expect=1)
            (message,) = self.alerts(result)
            self.assertRegex(message, f"{disk}/extract/.*No space left on device")
            self.assertIn(f"The disk of {disk} is full (0 MB free). Make "
                          "room there and run again: what is finished is kept.",
                          message)
            self.assertEqual(statuses["extract"], "failed")
            self.assertEqual(statuses["coverage"], "done")
            subprocess.run(["mount", "-o", "remount,size=16m", str(disk)],
                           check=True)
            _, statuses = self.statuses(place, expect=0)
            self.assertEqual(statuses["cluster"], "unchanged")
            self.assertEqual(statuses["extract"], "done")

    def test_disk_of_work_is_full(self):
        place = self.copy(more='work: "disk/work"')
        with small_disk(place.folder / "disk", "32m") as disk:
            shutil.copytree(place.folder / "work", disk / "work")
            self.fill(disk)
            result, statuses = self.statuses(place, expect=1)
            for message in self.alerts(result):
                self.assertIn("No space left on device", message)
                self.assertIn("Make room there and run again", message)
            # The rules that there are go on serving.
            self.assertEqual(statuses["cluster"], "failed")
            self.assertEqual(statuses["extract"], "done")
            (disk / "filling").unlink()
            _, statuses = self.statuses(place, expect=0)
            self.assertEqual(statuses["cluster"], "done")

    def test_disk_of_reports_is_full(self):
        place = self.copy(more='reports: "disk/reports"')
        with small_disk(place.folder / "disk", "1m") as disk:
            self.fill(disk)
            result = place.run(f"--date={NEXT}", expect=1)
            self.assertIn(f"cannot write the lock {disk}/reports/run.lock: No "
                          "space left on device. Nothing was started; see to its "
                          "disk and run again", result.stderr)
            (disk / "filling").unlink()
            place.run(f"--date={NEXT}")

    def fill(self, disk):
        with (disk / "filling").open("wb", buffering=0) as out:
            with contextlib.suppress(OSError):
                while True:
                    out.write(bytes(4096))

    def test_files_cannot_grow(self):
        # What a quota does, to the verbs and to the run itself.
        def limits():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        place = self.copy()
        result = place.run(f"--date={NEXT}", expect=1, limits=limits)
        self.assertRegex(result.stderr,
                         f"cluster {NEXT}: FAILED: .*File too large")
        self.assertIn("the report could not be written", result.stderr)
        place.run(f"--date={NEXT}")


if __name__ == "__main__":
    unittest.main()

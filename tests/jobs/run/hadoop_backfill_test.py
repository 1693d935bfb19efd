#!/usr/bin/python3
"""hadoop_backfill_test.py TROMMEL: two nights on the cluster of the environment
(tests/testing/with_cluster.sh), with crawls, work, rules and records on HDFS,
leave the rows that they leave on this machine: day after day, with a run that
is killed in the middle of a job, and both at once. On the second day a site
changes and its rule is repaired, so every kind of stage has work to do."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import nights

CHANGES = """
  daily_turnover: 0.05
  change { kind: REDESIGN day: 1 template: "detail" }
"""
KINDS = ("cluster", "sample", "learn", "check", "publish", "extract", "monitor",
         "reuse", "coverage", "compare")


def kill_in_the_middle_of_a_job(place, date):
    """Starts a run and kills it when its first job is on the cluster."""
    log = place.folder / f"reports/day={date}/logs/cluster.log"
    with subprocess.Popen(place.command(f"--date={date}"),
                          stderr=subprocess.DEVNULL) as run:
        deadline = time.monotonic() + 120
        while not (log.exists() and "job_" in log.read_text(encoding="utf-8")):
            assert run.poll() is None, "the run has ended"
            assert time.monotonic() < deadline, "no job is submitted"
            time.sleep(0.1)
        run.send_signal(signal.SIGKILL)
    return log


def check_killed_and_day_by_day(place):
    log = kill_in_the_middle_of_a_job(place, "2026-01-01")
    result = place.run("--date=2026-01-01")
    assert "took over the lock" in result.stderr, result.stderr
    text = log.read_text(encoding="utf-8")
    assert "attached to job_" in text, text
    # What people open is on this machine.
    reports = place.folder / "reports"
    for page in ("cluster/report.html", "sample-movie/annotate.html",
                 "sample-movie/annotate/films.example.html",
                 "learn-movie/status.jsonl", "check/report.html", "run.html"):
        assert (reports / "day=2026-01-01" / page).exists(), page
    # Without a date it is the latest that has a crawl.
    result = place.run()
    assert result.stdout.startswith("2026-01-02: "), result.stdout
    assert (reports / "day=2026-01-02/coverage/report.html").exists()


def check_backfill(place):
    result = place.run("--from=2026-01-01", "--to=2026-01-02", "--json")
    statuses = nights.stage_statuses(result)
    done = {name.split()[0] for name, status in statuses.items()
            if status == "done"}
    assert done == set(KINDS), statuses
    began = time.monotonic()
    again = place.run("--date=2026-01-02")
    print(f"nothing to do after {time.monotonic() - began:.1f} s")
    assert "nothing to do" in again.stdout, again.stdout


def check(trommel, temp, hdfs):
    first = nights.Place(trommel, temp / "first")
    first.make_web(2, CHANGES)
    first.annotate()
    local = nights.Place(trommel, temp / "local")
    local.take_web_of(first)
    local.run("--from=2026-01-01", "--to=2026-01-02")
    expected = local.rows()
    one_by_one = nights.ClusterPlace(trommel, temp / "one_by_one",
                                     hdfs + "/one_by_one")
    one_by_one.take_web_of(first)
    check_killed_and_day_by_day(one_by_one)
    wrong = nights.difference(expected, one_by_one.rows())
    assert not wrong, f"day by day: {wrong}"
    at_once = nights.ClusterPlace(trommel, temp / "at_once", hdfs + "/at_once")
    at_once.take_web_of(first)
    check_backfill(at_once)
    wrong = nights.difference(expected, at_once.rows())
    assert not wrong, f"backfill: {wrong}"
    print(f"ok: {len(expected)} tables")


def main():
    hdfs = f"{os.environ['TROMMEL_TEST_HDFS']}/run-test-{os.getpid()}"
    with tempfile.TemporaryDirectory() as temp:
        try:
            check(sys.argv[1], pathlib.Path(temp), hdfs)
        finally:
            subprocess.run([os.environ["HADOOP_HOME"] + "/bin/hadoop", "fs",
                            "-rm", "-r", "-f", "-skipTrash", hdfs],
                           stdout=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    main()

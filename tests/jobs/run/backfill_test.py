#!/usr/bin/python3
"""backfill_test.py TROMMEL [DAYS]: a backfill of several days, stages of
different days at a time, leaves the rows that day after day does. On the third
day a site changes: its rule is repaired, or an editor annotates it again."""
import pathlib
import sys
import tempfile

import nights

CHANGES = """
  daily_turnover: 0.05
  change { kind: REDESIGN day: 2 template: "detail" }
"""


def main():
    trommel = sys.argv[1]
    days = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with tempfile.TemporaryDirectory() as temp:
        first = nights.Place(trommel, pathlib.Path(temp) / "first")
        first.make_web(days, CHANGES)
        # An editor answers on the first night, and when the site has changed.
        first.annotate()
        # What alerts make of the exit code is not the matter here.
        first.run("--date=2026-01-02", "--fail-on-alert=never")
        first.annotate("2026-01-03")
        one_by_one = nights.Place(trommel, pathlib.Path(temp) / "one_by_one")
        one_by_one.take_web_of(first)
        for date in nights.dates(days):
            one_by_one.run(f"--date={date}", "--fail-on-alert=never")
        at_once = nights.Place(trommel, pathlib.Path(temp) / "at_once",
                               parallel=4)
        at_once.take_web_of(first)
        result = at_once.run("--from=2026-01-01", f"--to=2026-01-{days:02d}",
                             "--fail-on-alert=never")
        print(result.stdout)
        expected = one_by_one.rows()
        wrong = nights.difference(expected, at_once.rows())
        assert not wrong, wrong
        records = [where for where in expected if where.startswith("records/")
                   and "schema=movie" in where]
        assert len(records) == days, records
        # A date that is run again, long after, is what it was, and to see that
        # takes no longer for all that has come since.
        last = f"2026-01-{days:02d}"
        for flags in (["--date=2026-01-02"], [f"--date={last}"],
                      ["--from=2026-01-01", f"--to={last}"]):
            seconds = at_once.seconds_idle(*flags)
            print(f"nothing to do: {' '.join(flags)}: {seconds:.3f} s")
            assert seconds < 1, seconds
        print(f"ok: {days} days, {len(expected)} tables")


if __name__ == "__main__":
    main()

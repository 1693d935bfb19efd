#!/usr/bin/python3
"""chaos_test.py TROMMEL [SEED [KILLS]]: nights of `trommel run` whose processes
are killed with SIGKILL at random moments (the run itself, the verbs it started,
or their workers) leave what undisturbed nights leave."""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import nights

DAYS = 3
CHANGES = """
  daily_turnover: 0.05
  change { kind: REDESIGN day: 2 template: "detail" }
"""


def family(pid):
    """A process and all its descendants."""
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(entry.name))
    found = [pid]
    for member in found:
        found += children.get(member, [])
    return found


def main():
    trommel = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 30)
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 30
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as temp:
        quiet = nights.Place(trommel, pathlib.Path(temp) / "quiet")
        quiet.make_web(DAYS, CHANGES)
        quiet.annotate()
        quiet.run("--date=2026-01-02")
        quiet.annotate("2026-01-03")
        whole = ("--from=2026-01-01", f"--to=2026-01-{DAYS:02d}")
        undisturbed = nights.Place(trommel, pathlib.Path(temp) / "undisturbed")
        undisturbed.take_web_of(quiet)
        began = time.monotonic()
        undisturbed.run(*whole)
        took = time.monotonic() - began
        expected = undisturbed.rows()
        print(f"undisturbed: {took:.1f} s, {len(expected)} tables", flush=True)

        made = 0
        rounds = 0
        while made < kills:
            rounds += 1
            place = nights.Place(trommel, pathlib.Path(temp) / f"killed{rounds}",
                                 attempts=50)
            place.take_web_of(quiet)
            while True:
                run = subprocess.Popen(place.command(*whole),
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
                # Several kills of members of the family, then the end.
                killed_run = False
                while made < kills and run.poll() is None:
                    time.sleep(chance.uniform(0, took / 3))
                    members = family(run.pid)
                    victim = members[0] if chance.random() < 0.5 else (
                        chance.choice(members))
                    if run.poll() is not None:
                        break
                    try:
                        os.kill(victim, signal.SIGKILL)
                    except ProcessLookupError:
                        continue
                    made += 1
                    killed_run = victim == run.pid
                    print(f"kill {made}: "
                          f"{'the run' if killed_run else 'one below it'}",
                          flush=True)
                    if killed_run:
                        break
                errors = run.communicate()[1]
                if killed_run:
                    continue
                if run.returncode == 0:
                    break
                print(errors)
                raise AssertionError(f"exit code {run.returncode}; seed {seed}")
            wrong = nights.difference(expected, place.rows())
            if wrong:
                raise AssertionError(f"{wrong}; seed {seed}")
            left = [path for area in nights.AREAS
                    for path in (place.folder / area).rglob(".*")]
            if left:
                print("left behind:", [str(path) for path in left])
            again = place.run(*whole)
            assert "nothing to do" in again.stdout, again.stdout
        print(f"ok: {made} kills in {rounds} rounds, the same rows")


if __name__ == "__main__":
    main()

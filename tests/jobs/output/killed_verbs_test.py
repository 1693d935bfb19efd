#!/usr/bin/python3
"""killed_verbs_test.py TROMMEL DIE_AT_CHANGE [--long]: whenever a verb is
killed with SIGKILL, its output is not there, is the old one or is the new one,
always whole; and the next run finishes and clears up.

Each verb is killed at random moments, with all its processes, and right before
chosen changes of the file system: every one of those that put the output in
place, some others; with --long, each of all. TROMMEL_TEST_SEED sets the seed.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import verb_calls

# So many changes before and after the one that puts the output in place.
BEFORE, AFTER = 5, 2


class KilledVerb:
    """A call that is killed again and again, in the same folder."""

    def __init__(self, call, whole, folder, die_at_change):
        self.call = call
        self.folder = folder
        self.folder.mkdir()
        self.out = folder / "out"
        self.whole = whole
        self.expected = verb_calls.tree(whole)
        self.die_at_change = die_at_change
        self.label = call.verb
        # Whether it ever died between the two renames.
        self.was_aside = False

    def command(self):
        return self.call.command(self.out, "--force")

    def restore(self, has_output):
        """As if nothing had ever been killed here."""
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        if has_output:
            shutil.copytree(self.whole, self.out)

    def place(self):
        """Where the output is: aside, if the run died between the two renames;
        None if there is none yet."""
        places = (self.out, self.folder / ".out.replaced")
        return next(filter(pathlib.Path.exists, places), None)

    def check_whole(self, output):
        found = verb_calls.tree(output)
        different = [name for name in {**found, **self.expected}
                     if found.get(name) != self.expected.get(name)]
        assert not different, f"{self.label}: {different} in {output}"

    def finish(self):
        """The run that nobody kills."""
        self.call.run(self.out, "--force")
        self.check_whole(self.out)
        left = sorted(path.name for path in self.folder.iterdir())
        assert left == ["out"], f"{self.label}: left behind {left}"

    def killed(self, label, kill):
        """Starts it, lets `kill` end it, checks what is left. Returns whether it
        was killed."""
        self.label = f"{self.call.verb}, {label}"
        had_output = self.place() is not None
        code = kill()
        assert code in (0, -signal.SIGKILL), f"{self.label}: exit code {code}"
        if self.place() is not None:
            self.check_whole(self.place())
            self.was_aside = self.was_aside or self.place() != self.out
        else:
            assert not had_output, f"{self.label}: the old output is gone"
        return code != 0

    def kill_after(self, seconds):
        def kill():
            with subprocess.Popen(self.command(), start_new_session=True,
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                try:
                    process.wait(timeout=seconds)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                return process.wait()
        return self.killed(f"after {seconds:.3f} s", kill)

    def kill_at(self, change):
        environment = {**os.environ, "LD_PRELOAD": self.die_at_change,
                       "TROMMEL_TEST_DIE_AT": str(change)}
        return self.killed(
            f"at change {change}",
            lambda: subprocess.run(self.command(), env=environment,
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL,
                                   check=False).returncode)

    def count_changes(self):
        """Those of a run that replaces an output, and how long it takes."""
        count = self.folder.parent / "changes"
        environment = {**os.environ, "LD_PRELOAD": self.die_at_change,
                       "TROMMEL_TEST_COUNT_CHANGES": str(count)}
        began = time.monotonic()
        subprocess.run(self.command(), env=environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return int(count.read_text()), time.monotonic() - began


def kill_often(verb, chance, is_long):
    """Returns how often it was killed."""
    kills = 0
    verb.restore(has_output=True)
    changes, seconds = verb.count_changes()
    # Behind it the old output is removed, entry by entry.
    in_place = changes - len(list(verb.whole.rglob("*"))) - 1
    chosen = list(range(1, changes + 1)) if is_long else [
        *(chance.randrange(1, changes + 1) for _ in range(2)),
        *range(max(1, in_place - BEFORE), in_place + AFTER + 1), changes]
    for change in chosen:
        # Clearing up after others would be counted, too.
        verb.restore(has_output=True)
        kills += verb.kill_at(change)
        if is_long or verb.place() != verb.out:
            verb.finish()
    assert verb.was_aside, f"{verb.label}: never between the two renames"
    # Each over what the ones before have left.
    for has_output in (True, False):
        verb.restore(has_output)
        for _ in range(20 if is_long else 2):
            kills += verb.kill_after(chance.uniform(0, seconds * 1.1))
        verb.finish()
    assert kills > 0, f"{verb.label}: never killed"
    return changes, kills


def main():
    chance = random.Random(verb_calls.seed_of_test())
    is_long = "--long" in sys.argv
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp).resolve()
        (temp / "done").mkdir()
        calls = verb_calls.Calls(sys.argv[1], temp / "done")
        for name, call in calls.by_verb.items():
            verb = KilledVerb(call, calls.output(name), temp / f"{name}-killed",
                              str(pathlib.Path(sys.argv[2]).resolve()))
            changes, kills = kill_often(verb, chance, is_long)
            print(f"{name}: {changes} changes, killed {kills} times", flush=True)


if __name__ == "__main__":
    main()

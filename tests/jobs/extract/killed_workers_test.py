#!/usr/bin/python3
"""killed_workers_test.py TROMMEL WRITE_RULES: whatever happens to the processes
of `trommel extract`, every page is in exactly one of records and rejects, and
the rows are those of a run that nothing happened to.

Workers are killed at random moments (the seed is printed; TROMMEL_TEST_SEED
sets it). One page is too much for its rule: it ends as timeout, and as crashed
where the process dies of it.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tests/testing"))
from table_rows import rows  # pylint: disable=wrong-import-position

SPEC = """
seed: 31
start_date: "2026-01-01"
site { host: "www.one.example" vertical: "movie" pages: 1500 }
site { host: "www.two.example" vertical: "movie" pages: 300 }
"""
KILLED_RUNS = 12
# Fewer than a task may die between rows, should all of them hit the same one.
KILLS_A_RUN = 3
# No <u> follows an <i> of the slow page, so each of them searches the rest.
SLOW_XPATH = "//i[following::u[1]]"
SLOW_PAGE = "<body>" + "<i>x</i>" * 150000


def run(*arguments):
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)


def tables(folder):
    return {table: sorted(map(repr, rows(folder / table)))
            for table in ("records/schema=movie", "rejects", "figures")}


def workers(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in text.split()]


def processor_seconds(pid):
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    user, system = fields.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Test:
    def __init__(self, trommel, write_rules, work):
        self.trommel = trommel
        self.write_rules = write_rules
        self.work = work

    def make_web(self):
        (self.work / "spec.textproto").write_text(SPEC)
        web = self.work / "web"
        run(self.trommel, "generate", f"--spec={self.work}/spec.textproto",
            f"--out={web}")
        self.crawl = web / "day=2026-01-01/crawl"
        run(self.trommel, "cluster", f"--crawl={self.crawl}",
            f"--out={self.work}/clusters")
        run(self.write_rules, self.work / "clusters/clusters",
            ROOT / "schemas/movie.textproto", self.work / "movie.binpb", "one",
            "title=//title/text()", "genre=//td/text()",
            f"director={SLOW_XPATH}")
        self.pages = sum(1 for _ in rows(self.crawl, ["url"]))

    def command(self, crawls, out, *flags):
        return [self.trommel, "extract", f"--rules={self.work}/movie.binpb",
                f"--out={out}", "--try-url-match", "--workers=2",
                "--split-mb=1", *(f"--crawl={crawl}" for crawl in crawls),
                *flags]

    def kill_at_random(self, rng, undisturbed):
        killed = 0
        for number in range(KILLED_RUNS):
            out = self.work / f"killed-{number}"
            with subprocess.Popen(self.command([self.crawl], out),
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True) as process:
                for _ in range(rng.randint(1, KILLS_A_RUN)):
                    time.sleep(rng.uniform(0.005, 0.12))
                    alive = workers(process.pid)
                    if process.poll() is None and alive:
                        os.kill(rng.choice(alive), signal.SIGKILL)
                        killed += 1
                _, said = process.communicate()
                assert process.returncode == 0, f"run {number} failed: {said}"
            assert tables(out) == undisturbed, f"run {number}: other rows"
        assert killed >= KILLED_RUNS, f"only {killed} workers were killed"
        print(f"{KILLED_RUNS} runs, {killed} workers killed: the same rows")

    def make_slow_page(self):
        """Beside two that are fine, with the URL of a page that has a rule."""
        url = next(rows(self.work / "undisturbed/records/schema=movie"))["url"]
        self.slow_url = url
        lines = [{"url": url, "content": "<p>short</p>"},
                 {"url": url, "content": SLOW_PAGE},
                 {"url": url, "content": "<p>short as well</p>"}]
        jsonl = self.work / "slow.jsonl"
        jsonl.write_text("".join(json.dumps(line) + "\n" for line in lines))
        run(self.trommel, "ingest", "--from=jsonl", jsonl,
            f"--out={self.work}/slow")

    def check_slow(self, out, reason, undisturbed):
        records = list(rows(out / "records/schema=movie"))
        rejects = list(rows(out / "rejects"))
        assert len(records) + len(rejects) == self.pages + 3
        assert tables(out)["records/schema=movie"] == undisturbed["records/schema=movie"]
        slow = [row["reason"] for row in rejects
                if row["url"] == self.slow_url]
        assert sorted(slow) == sorted([reason, "no_template", "no_template"]), slow
        print(f"the slow page ends as {reason}, all others are there")

    def slow_page_is_a_timeout(self, undisturbed):
        out = self.work / "timeout"
        run(*self.command([self.crawl, self.work / "slow"], out,
                          "--row-timeout=1"))
        self.check_slow(out, "timeout", undisturbed)

    def slow_page_crashes(self, undisturbed):
        """Whoever works on it for a second dies as of a wild pointer."""
        out = self.work / "crashed"
        with subprocess.Popen(
                self.command([self.work / "slow", self.crawl], out),
                stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                for worker in workers(process.pid):
                    if processor_seconds(worker) > 4:
                        os.kill(worker, signal.SIGSEGV)
                time.sleep(0.05)
            assert process.returncode == 0
        self.check_slow(out, "crashed", undisturbed)


def main():
    seed = int(os.environ.get("TROMMEL_TEST_SEED", "7"))
    print(f"TROMMEL_TEST_SEED={seed}")
    with tempfile.TemporaryDirectory() as work:
        test = Test(sys.argv[1], sys.argv[2], pathlib.Path(work))
        test.make_web()
        run(*test.command([test.crawl], test.work / "undisturbed"))
        undisturbed = tables(test.work / "undisturbed")
        assert len(undisturbed["records/schema=movie"]) > 1000
        assert (len(undisturbed["records/schema=movie"]) +
                len(undisturbed["rejects"])) == test.pages
        test.kill_at_random(random.Random(seed), undisturbed)
        test.make_slow_page()
        test.slow_page_is_a_timeout(undisturbed)
        test.slow_page_crashes(undisturbed)


if __name__ == "__main__":
    main()

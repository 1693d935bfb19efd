"""Every verb that writes an output, with a call of it that works on a small
generated web: for tests that do the same to all of them."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
DAYS = ("2026-01-01", "2026-01-02")
SPEC = """
seed: 11
start_date: "%s"
days: 2
site { host: "films.example" vertical: "movie" pages: 30 }
""" % DAYS[0]


def tree(path):
    """The digest of every file at or below a path, by relative name."""
    path = pathlib.Path(path)
    files = [path] if path.is_file() else sorted(
        file for file in path.rglob("*") if file.is_file())
    return {file.relative_to(path).as_posix():
            hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def manifest_of(output):
    return json.loads((output / "_SUCCESS").read_text())


class Call:
    """A call of a verb, without --out. Inputs are (flag, path); the flag of a
    word without one is empty."""

    def __init__(self, trommel, verb, inputs, flags=()):
        self.trommel = trommel
        self.verb = verb
        self.inputs = [(flag, pathlib.Path(path)) for flag, path in inputs]
        self.flags = list(flags)

    def command(self, out, *more, replaced=None):
        """The words of the command. `replaced` has other paths for inputs, by
        number."""
        words = [str(self.trommel), self.verb, *self.flags]
        for number, (flag, path) in enumerate(self.inputs):
            path = (replaced or {}).get(number, path)
            words.append(f"--{flag}={path}" if flag else str(path))
        return [*words, f"--out={out}", *more]

    def run(self, out, *more, expect=0, replaced=None):
        result = subprocess.run(
            self.command(out, *more, replaced=replaced), capture_output=True,
            text=True, check=False)
        if result.returncode != expect:
            raise AssertionError(
                f"{result.args}: exit code {result.returncode}, not {expect}\n"
                f"{result.stdout}{result.stderr}")
        return result


class Calls:
    """One call for every verb that has --force, by verb; their outputs are
    below `folder`, finished."""

    def __init__(self, trommel, folder):
        self.trommel = pathlib.Path(trommel).resolve()
        self.folder = pathlib.Path(folder)
        self.by_verb = {}
        self.make_all()
        missing = set(self.verbs_with_force()) ^ set(self.by_verb)
        assert not missing, f"verbs that are not called here, or gone: {missing}"

    def verbs_with_force(self):
        about = subprocess.run([self.trommel, "--help"], capture_output=True,
                               text=True, check=True).stdout
        verbs = re.findall(r"^  ([a-z]+) ", about.split("SUBCOMMANDS:")[-1]
                           if "SUBCOMMANDS:" in about
                           else about.split("Subcommands:")[-1], re.M)
        assert len(verbs) > 10, about
        for verb in verbs:
            text = subprocess.run([self.trommel, verb, "--help"],
                                  capture_output=True, text=True,
                                  check=True).stdout
            if re.search(r"^ *--force\b", text, re.M):
                yield verb

    def output(self, verb):
        return self.folder / verb

    def add(self, verb, inputs, flags=()):
        call = Call(self.trommel, verb, inputs, flags)
        call.run(self.output(verb))
        self.by_verb[verb] = call
        return self.output(verb)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def make_all(self):
        workers = ["--workers=1"]
        web = self.add("generate", [("spec", self.file("spec", SPEC))])
        day, next_day = (web / f"day={date}" for date in DAYS)
        crawl = ("crawl", day / "crawl")
        schema = ("schema", web / "schemas/movie.textproto")
        sites = ("sites", self.file("sites", "films.example\n"))
        self.add("ingest", [("", self.file(
            "pages.jsonl", '{"url":"http://a.example/","content":"<p>x"}\n' * 9))],
            ["--from=jsonl"])
        self.add("stats", [crawl], workers)
        clusters = self.add("cluster", [crawl], workers)
        sample = self.add("sample", [crawl, ("clusters", clusters), schema, sites],
                          workers)
        rules = self.learn(day, [("samples", sample), schema, sites], workers)
        records = self.add("extract", [crawl, ("rules", rules)], workers)
        self.add("monitor", [
            ("crawl", next_day / "crawl"), ("rules", rules),
            ("records-before", records), ("records-after", records)], workers)
        self.add("compare", [("extracted", records)],
                 [*workers, "--date=2026-01-01"])
        self.add("coverage", [("clusters", clusters),
                              ("crawl", next_day / "crawl")], workers)
        self.add("reuse", [
            ("rules", rules), ("old-clusters", clusters),
            ("old-crawl", day / "crawl"), ("new-clusters", clusters),
            ("new-crawl", day / "crawl"), sites], workers)
        self.add("export", [("rules", rules)])

    def learn(self, day, inputs, flags):
        """Rules for which an editor has answered all that was asked."""
        annotations = self.file("annotations.jsonl", "")
        inputs = [*inputs, ("annotations", annotations)]
        for _ in range(8):
            shutil.rmtree(self.output("learn"), ignore_errors=True)
            out = self.add("learn", inputs, flags)
            answers = subprocess.run(
                [sys.executable, ROOT / "deploy/annotate_from_truth.py",
                 day / "truth.jsonl", inputs[1][1], out / "status.jsonl"],
                capture_output=True, text=True, check=True).stdout
            if not answers:
                return out
            with annotations.open("a", encoding="utf-8") as lines:
                lines.write(answers)
        raise AssertionError("the editor is asked again and again")


def copy_to(path, folder):
    """A copy of a file or folder, in a folder that is made for it."""
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / path.name
    if path.is_dir():
        shutil.copytree(path, copy)
    else:
        shutil.copy(path, copy)
    return copy


def seed_of_test():
    seed = int(os.environ.get("TROMMEL_TEST_SEED", "18"))
    print(f"TROMMEL_TEST_SEED={seed}", flush=True)
    return seed

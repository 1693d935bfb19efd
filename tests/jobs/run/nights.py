"""What the tests of `trommel run` share: a small generated web, an editor who
knows its truth, and comparing what two runs have left behind."""
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "deploy"))
import crawl_to_jsonl  # pylint: disable=wrong-import-position

FIRST = "2026-01-01"

SPEC = """
seed: 7
start_date: "%s"
days: %d
site { host: "films.example" vertical: "movie" pages: 40 %s }
site { host: "cinema.example" vertical: "movie" pages: 30 daily_turnover: 0.05 }
%s
"""

PIPELINE = """
crawl: "%(root)sweb/day={date}/crawl"
%(verticals)s
engine { %(engine)s }
limits {
  attempts: %(attempts)d
  parallel_stages: %(parallel)d
  backoff_s: 0.05
  max_backoff_s: 0.2
}
%(more)s
"""

# What a pipeline writes, besides reports; of these it is told where some are.
AREAS = ("work", "records", "rejects", "figures", "deliveries", "rules")
PLACED_AREAS = ("work", "records", "rules")

# On a cluster every task costs seconds: no more of them than there must be.
ONE_REDUCER = "".join(
    f'stage {{ name: "{stage}" flag: "--reducers=1" }}\n'
    for stage in ("cluster", "sample", "learn", "reuse", "coverage"))


class Vertical:
    """One of a pipeline; without sites, of all that are crawled."""

    def __init__(self, name, annotations, sites=()):
        self.name = name
        self.annotations = annotations  # with {date}
        self.sites = sites

    def text(self):
        sites = "".join(f'  site: "{site}"\n' for site in self.sites)
        return (f'vertical {{\n  name: "{self.name}"\n'
                f'  schema: "web/schemas/{self.name}.textproto"\n'
                f'  annotations: "{self.annotations}"\n{sites}}}\n')


MOVIE = Vertical("movie", "annotations/{date}.jsonl")


class Place:
    """A folder with a pipeline in it."""

    # What the pipeline's engine { } says.
    engine = "workers: 1"
    # What the path of crawls begins with.
    root = ""

    def __init__(self, trommel, folder, attempts=2, parallel=2, more="",
                 verticals=(MOVIE,)):
        self.trommel = str(trommel)
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.verticals = verticals
        self.pipeline = self.folder / "pipeline.textproto"
        self.pipeline.write_text(
            PIPELINE % {"root": self.root, "engine": self.engine,
                        "verticals": "".join(map(Vertical.text, verticals)),
                        "attempts": attempts, "parallel": parallel,
                        "more": more}, encoding="utf-8")

    def command(self, *flags):
        return [self.trommel, "run", str(self.pipeline), *flags]

    def run(self, *flags, expect=0, limits=None):
        """The finished process; its exit code is checked."""
        result = subprocess.run(self.command(*flags), capture_output=True,
                                text=True, check=False, preexec_fn=limits)
        if expect is not None and result.returncode != expect:
            raise AssertionError(
                f"{flags}: exit code {result.returncode}, not {expect}\n"
                f"{result.stdout}{result.stderr}")
        return result

    def seconds_idle(self, *flags, tries=5):
        """The least time that a run with nothing to do takes: what the machine
        does beside it is not its fault."""
        least = float("inf")
        for _ in range(tries):
            began = time.monotonic()
            result = self.run(*flags)
            least = min(least, time.monotonic() - began)
            assert "nothing to do" in result.stdout, result.stdout
            assert not result.stderr, result.stderr
        return least

    def verb(self, *arguments, expect=0):
        result = subprocess.run([self.trommel, *map(str, arguments)],
                                capture_output=True, text=True, check=False)
        if result.returncode != expect:
            raise AssertionError(f"{arguments}: {result.stdout}{result.stderr}")
        return result

    def make_web(self, days, changes="daily_turnover: 0.05", more_sites=""):
        spec = self.folder / "spec.textproto"
        spec.write_text(SPEC % (FIRST, days, changes, more_sites),
                        encoding="utf-8")
        self.verb("generate", f"--spec={spec}", f"--out={self.folder}/web")

    def take_web_of(self, other):
        """The same crawls, schemas and annotations, and nothing else."""
        (self.folder / "web").symlink_to(other.folder / "web")
        if (other.folder / "annotations").exists():
            shutil.copytree(other.folder / "annotations",
                            self.folder / "annotations")

    def annotate(self, date=FIRST):
        """Runs the date and answers what learning asks for, until it asks for
        nothing more. Nothing is learnt on a night that keeps or repairs all
        rules."""
        for vertical in self.verticals:
            annotations = self.annotations(date, vertical)
            annotations.parent.mkdir(exist_ok=True)
            annotations.touch()
        for _ in range(8):
            self.run(f"--date={date}", "--fail-on-alert=never")
            if not any([self.answer(date, vertical)
                        for vertical in self.verticals]):
                return
        raise AssertionError("the editor is asked again and again")

    def annotations(self, date=FIRST, vertical=MOVIE):
        """The file for the sample of that date."""
        return self.folder / vertical.annotations.format(date=date)

    def answer(self, date, vertical):
        """Adds what learning asks for to the annotations, if anything."""
        status = (self.folder /
                  f"work/learnt/{vertical.name}/day={date}/status.jsonl")
        if not status.exists():
            return False
        answers = subprocess.run(
            ["/usr/bin/python3", str(ROOT / "deploy/annotate_from_truth.py"),
             str(self.folder / f"web/day={date}/truth.jsonl"),
             str(self.folder / f"web/schemas/{vertical.name}.textproto"),
             str(status)],
            capture_output=True, text=True, check=True).stdout
        with self.annotations(date, vertical).open("a", encoding="utf-8") as out:
            out.write(answers)
        return bool(answers)

    def records(self, date, schema="movie"):
        """The rows of the records of a date."""
        parquet = crawl_to_jsonl.load_pyarrow()
        folder = self.folder / f"records/date={date}/schema={schema}"
        return [row for part in sorted(folder.glob("part-*.parquet"))
                for row in parquet.ParquetFile(part).read().to_pylist()]

    def rules_by_site(self, date, schema="movie"):
        """The rules that gave the records of a date."""
        rules = {}
        for record in self.records(date, schema):
            rules.setdefault(record["site"], set()).add(record["rule_id"])
        return rules

    def version_of(self, date):
        """The version of the rules that serves a date."""
        record = self.folder / f"rules/dates/{date}.json"
        return json.loads(record.read_text())["version"]

    def current_rules(self):
        """The version in service."""
        return (self.folder / "rules/CURRENT").read_text().split()[0]

    def rows(self):
        """Every table and file of rules that the pipeline has, as text."""
        return rows_below(self.folder)


class ClusterPlace(Place):
    """A folder with a pipeline that runs on the Hadoop cluster of the
    environment, with everything but reports, schemas and annotations in a
    folder of HDFS."""
    engine = 'engine: "hadoop" flag: "--task-memory-mb=512"'

    def __init__(self, trommel, folder, hdfs, **kwargs):
        self.root = hdfs + "/"
        more = "".join(f'{area}: "{self.root}{area}"\n'
                       for area in PLACED_AREAS)
        super().__init__(trommel, folder, more=more + ONE_REDUCER, **kwargs)

    def hadoop_fs(self, *arguments):
        subprocess.run([os.environ["HADOOP_HOME"] + "/bin/hadoop", "fs",
                        *map(str, arguments)],
                       check=True, stdin=subprocess.DEVNULL)

    def take_web_of(self, other):
        super().take_web_of(other)
        self.hadoop_fs("-mkdir", "-p", self.root + "web")
        self.hadoop_fs("-put", *sorted((self.folder / "web").glob("day=*")),
                       self.root + "web")

    def rows(self):
        with tempfile.TemporaryDirectory() as temp:
            self.hadoop_fs("-get", *(self.root + area for area in AREAS), temp)
            return rows_below(temp)


class NightsTest(unittest.TestCase):
    """Tests that each work on a copy of a pipeline whose first night is done."""
    trommel = ""  # the program

    @classmethod
    def make_done(cls, base):
        """That pipeline, in a folder of its own below `base`."""
        raise NotImplementedError

    @classmethod
    def setUpClass(cls):
        base = tempfile.TemporaryDirectory()
        cls.addClassCleanup(base.cleanup)
        cls.done = cls.make_done(pathlib.Path(base.name))

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def copy(self, **settings):
        """The pipeline after its first night, to do things to."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.temp)) / "copy"
        shutil.copytree(self.done.folder, folder, symlinks=True)
        return Place(self.trommel, folder, **settings)


def content_digest(text):
    """ContentDigest() of core/base/hash.h."""
    class Hash(ctypes.Structure):
        _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]
    function = ctypes.CDLL("libxxhash.so.0").XXH3_128bits
    function.restype = Hash
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    found = function(text, len(text))
    return f"{found.high:016x}{found.low:016x}"


def give_former_layout(place, date):
    """Makes a night what former versions of trommel left of it: rejects and
    figures in the folder of the records, the state of the stage beside it."""
    night = place.folder / f"records/date={date}"
    manifest = json.loads((night / "_SUCCESS").read_text())
    for table in ("rejects", "figures"):
        folder = place.folder / table / f"date={date}"
        manifest["shards"] += [
            {**shard, "file": f"_{table}/{shard['file']}"} for shard in
            json.loads((folder / "_SUCCESS").read_text())["shards"]]
        (folder / "_SUCCESS").unlink()
        folder.rename(night / f"_{table}")
        folder.parent.rmdir()
    state = json.loads(
        (place.folder / f"extract/_date={date}.stage.json").read_text())
    assert state["output"] == content_digest((night / "_SUCCESS").read_bytes())
    del manifest["self_digest"]
    (night / "_SUCCESS").write_text(json.dumps(manifest))
    state["output"] = content_digest((night / "_SUCCESS").read_bytes())
    (place.folder / f"records/_date={date}.stage.json").write_text(
        json.dumps(state))
    shutil.rmtree(place.folder / "extract")


def rows_below(top):
    """Every table and file of rules in a folder that has the areas of a
    pipeline, as text."""
    parquet = crawl_to_jsonl.load_pyarrow()
    found = {}
    for area in (*AREAS, "reports"):
        for folder, _, names in os.walk(pathlib.Path(top) / area):
            where = pathlib.Path(folder).relative_to(top).as_posix()
            if "/." in where:
                continue
            if area == "reports":
                # Of coverage alone; on a cluster it is with the other work.
                if "/coverage" not in where:
                    continue
                where = where.replace("reports/", "work/", 1)
            for name in sorted(names):
                path = pathlib.Path(folder) / name
                if name.endswith(".parquet"):
                    found.setdefault(where, []).extend(
                        map(repr, parquet.read_table(path).to_pylist()))
                elif name in ("rules.binpb", "status.jsonl", "CURRENT"):
                    found[f"{where}/{name}"] = path.read_bytes()
                elif folder.endswith("/dates"):
                    if name.startswith("_"):
                        continue
                    found[f"{where}/{name}"] = path.read_bytes()
    return {where: sorted(rows) if isinstance(rows, list) else rows
            for where, rows in found.items()}


def difference(left, right):
    """In words, how two results of rows() differ; empty when they do not."""
    for where in sorted(set(left) | set(right)):
        if where not in left or where not in right:
            return f"{where} is only on one side"
        if left[where] != right[where]:
            return f"{where} differs"
    return ""


def dates(count):
    return [f"2026-01-{day:02d}" for day in range(1, count + 1)]


def stage_statuses(result):
    """By name of the stage, from what --json printed."""
    return {stage["stage"]: stage["status"]
            for stage in json.loads(result.stdout)["stages"]}

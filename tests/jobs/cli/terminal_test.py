#!/usr/bin/python3
"""terminal_test.py TROMMEL: a crawl of hostile URLs, hosts and values goes through
the verbs. What they print, as text and as JSON, on standard output and on standard
error, has no character on which a terminal would act, and no line of the crawl's."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

# Colours, a title, C1 controls, line ends of several kinds, a turned direction.
HOSTILE = ("\x1b[31m\x1b]0;owned\x07\x7f\x9b2J\x85\r\nforged line\n\tforged\u2028forged"
           "\u2029\u202eexe\u2066\x08")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
FORGED = re.compile(r"^\s*forged", re.MULTILINE)

SCHEMA = """name: "film"
attribute { name: "title" mandatory: true }
attribute { name: "director" }
"""


def page(number, design="a", bold="b"):
    """A page whose text, attributes, names of tags and comments are hostile."""
    return (f"<html><head><title>Film {number}</title></head><body class='{design}'>"
            f"<!--\0{HOSTILE}--><h1 title='{HOSTILE}'>Film {number}{HOSTILE}</h1>"
            f"<x\x1b[31m\x9b y\x9b='1'></x><p class='d'>By <{bold}>Name{number} {HOSTILE}"
            f"</{bold}></p><ul><li>one</li><li>two</li></ul></body></html>")


def url(number):
    return f"http://films.example/film/{number}?{HOSTILE}"


class TerminalTest(unittest.TestCase):
    def run_verb(self, *arguments, codes=(0,), is_json=True):
        """Runs a verb for its text and, anew, for its JSON; the text."""
        texts = []
        for more in ([], ["--json"]) if is_json else ([],):
            if more and any(argument.startswith("--out=") for argument in arguments):
                more = ["--json", "--force"]
            done = subprocess.run([TROMMEL, *arguments, *more], capture_output=True,
                                  check=False, stdin=subprocess.DEVNULL)
            for stream in (done.stdout, done.stderr):
                text = stream.decode("utf-8")
                found = CONTROL.search(text)
                self.assertIsNone(found, f"{arguments}: {text!r}")
                # The lines of XML are the page's.
                if "--xml" not in arguments:
                    self.assertIsNone(FORGED.search(text), f"{arguments}: {text}")
            self.assertIn(done.returncode, codes, f"{arguments}: {done.stderr}")
            if more and done.returncode in (0, 3):
                json.loads(done.stdout)
            texts.append((done.stdout + done.stderr).decode("utf-8"))
        return texts[0]

    def write_crawl(self, name, **options):
        lines = [{"url": url(i), "content": page(i, **options)} for i in range(12)]
        lines += [{"url": f"http://ev\x1b[31mil{HOSTILE}.example/{i}",
                   "content": page(i)} for i in range(6)]
        lines += [{"url": "http://films.example/x" + HOSTILE, "content": 7}]
        file = WORK / f"{name}.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines) +
                        '{"url": "' + HOSTILE + "\n", encoding="utf-8")
        self.run_verb("ingest", "--from=jsonl", f"--out={WORK}/{name}", str(file))
        return WORK / name

    def test_the_verbs_of_a_crawl(self):
        crawl = self.write_crawl("day=2026-01-01")
        schema = WORK / "film.textproto"
        schema.write_text(SCHEMA)
        self.run_verb("stats", f"--crawl={crawl}", f"--out={WORK}/stats")
        self.run_verb("cluster", f"--crawl={crawl}", f"--out={WORK}/clusters")
        self.run_verb("sample", f"--crawl={crawl}", f"--clusters={WORK}/clusters",
                      f"--schema={schema}", f"--out={WORK}/samples")
        learn = ("learn", f"--samples={WORK}/samples", f"--schema={schema}",
                 f"--out={WORK}/rules", f"--annotations={WORK}/annotations.jsonl")
        given = []
        for i in range(12):
            given += [{"url": url(i), "attribute": "title", "value": f"Film {i}"},
                      {"url": url(i), "attribute": "director", "value": HOSTILE}]
        for wrong in ({"url": "http://none.example/" + HOSTILE, "skip": True},
                      {"url": url(0), "attribute": HOSTILE, "value": "x"}):
            self.write_annotations(given + [wrong])
            self.assertIn(r"\u001b", self.run_verb(*learn, codes=(1,)))
        self.write_annotations(given + [
            {"url": url(0), "attribute": "title", "value": HOSTILE + "nowhere"}])
        self.run_verb(*learn)
        rules = f"--rules={WORK}/rules"
        self.run_verb("extract", f"--crawl={crawl}", rules, f"--out={WORK}/records")
        self.run_verb("explain", rules, f"--crawl={crawl}", f"--url={url(1)}",
                      codes=(0, 1))
        self.run_verb("explain", rules, f"--crawl={crawl}",
                      f"--url=http://x.example/{HOSTILE}", codes=(1,))
        self.run_verb("export", rules, f"--out={WORK}/exported")
        truth = WORK / "truth.jsonl"
        truth.write_text("".join(json.dumps(
            {"url": url(i), "values": {"title": [f"Film {i}"], HOSTILE: [HOSTILE]}})
            + "\n" for i in range(12)))
        self.run_verb("eval", f"--records={WORK}/records", f"--truth={truth}")
        later = self.write_crawl("day=2026-01-02", design="b", bold="i")
        self.run_verb("monitor", f"--crawl={later}", rules, f"--out={WORK}/monitored")
        self.run_verb("coverage", f"--clusters={WORK}/clusters", f"--crawl={crawl}",
                      f"--crawl={later}", f"--out={WORK}/coverage")
        self.run_verb("cluster", f"--crawl={later}", f"--out={WORK}/clusters2")
        self.run_verb("reuse", rules, f"--old-clusters={WORK}/clusters",
                      f"--old-crawl={crawl}", f"--new-clusters={WORK}/clusters2",
                      f"--new-crawl={later}", f"--out={WORK}/rules2")

    @staticmethod
    def write_annotations(lines):
        (WORK / "annotations.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for line in lines))

    def test_a_page(self):
        file = WORK / "page.html"
        file.write_text("<meta charset=utf-8>" + page(1), encoding="utf-8")
        self.assertIn(r"\u009b", self.run_verb("dom", str(file)))
        self.assertIn("&#155;", self.run_verb("dom", "--xml", str(file)))

    def test_names_of_files(self):
        folder = WORK / "pages"
        folder.mkdir()
        for i in range(3):
            (folder / f"{HOSTILE}{i}.html").write_text(page(i), encoding="utf-8")
        (folder / f"{HOSTILE}.html.gz").write_bytes(b"no gzip")
        self.run_verb("ingest", "--from=dir", f"--out={WORK}/from-dir",
                      "--url-prefix=http://a.example/", str(folder))
        # What a user types comes back in errors; its lines are the user's own.
        name = HOSTILE.replace("forged", "typed")
        for arguments in (("dom", name), ("stats", f"--crawl={name}"),
                          ("stats", f"--{name}"), (name,),
                          ("learn", f"--schema={name}")):
            self.run_verb(*arguments, codes=(1, 2), is_json=False)


if __name__ == "__main__":
    TROMMEL = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as directory:
        WORK = pathlib.Path(directory)
        result = unittest.main(argv=sys.argv[:1] + sys.argv[2:], exit=False).result
    sys.exit(0 if result.wasSuccessful() else 1)

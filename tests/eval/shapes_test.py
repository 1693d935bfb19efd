#!/usr/bin/python3
"""shapes_test.py: which sites shapes.py counts as done and wrong, and which
pages its editor annotates."""
import json
import pathlib
import re
import tempfile
import types
import unittest

import shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]


def site(number, is_done, f1, **attributes):
    return shapes.Site(f"s{number}.example", "book", 2, is_done, f1,
                       attributes, [{"attribute": "author", "xpath": "//a"}])


class FiguresTest(unittest.TestCase):
    def setUp(self):
        self.figures = shapes.Figures("LIST_TAIL", [
            site(1, True, 1.0), site(2, True, 0.96, author=0.8, title=1.0),
            site(3, False, 0.5, author=0.1), site(4, True, 0.97)])

    def test_shares(self):
        values = self.figures.values()
        self.assertEqual(values["sites"], 4)
        self.assertEqual(values["done_and_wrong"], 0.25)
        self.assertEqual(values["not_done"], 0.25)
        self.assertAlmostEqual(values["strict_f1"], 0.8575)

    def test_names_the_wrong_attribute_and_its_rule(self):
        (wrong,) = self.figures.wrong()
        self.assertEqual(wrong.host, "s2.example")
        self.assertIn("author 0.8000", wrong.text())
        self.assertIn("//a", wrong.text())
        self.assertNotIn("title", wrong.text())

    def test_threshold(self):
        options = types.SimpleNamespace(verbose=False, json=None, seed=1)
        self.assertEqual(shapes.report(options, [self.figures]), ["LIST_TAIL"])
        self.assertEqual(shapes.report(options, [shapes.Figures(
            "PLAIN", self.figures.sites[:1])]), [])


class SharesTest(unittest.TestCase):
    def test_all_sites_are_shared_out(self):
        for count in (0, 1, 3, 50):
            for parts in (1, 3, 5):
                found = shapes.shares(count, parts)
                self.assertEqual((sum(found), len(found)), (count, parts))
                self.assertLessEqual(max(found) - min(found), 1)


class SpecTest(unittest.TestCase):
    def test_every_trap_has_a_shape(self):
        text = (ROOT / "proto/web_spec.proto").read_text(encoding="utf-8")
        traps = re.search(r"enum Trap \{(.*?)\n  \}", text, re.DOTALL).group(1)
        names = set(re.findall(r"^    ([A-Z_]+) = ", traps, re.MULTILINE))
        self.assertEqual(names - {"TRAP_UNSPECIFIED"},
                         set(shapes.SHAPES) - {"PLAIN"})


class EditorTest(unittest.TestCase):
    def test_annotates_one_page_of_a_site_the_largest_cluster_first(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            options = types.SimpleNamespace(work=folder)
            pipeline = shapes.Pipeline(options, "LIST_TAIL", "book", 2)
            pipeline.folder.mkdir()
            pipeline.sites = {"a": "s1", "b": "s1", "c": "s2"}
            pipeline.sizes = {"a": 10, "b": 30, "c": 5}
            pipeline.schema.write_text('attribute { name: "title" }\n'
                                       'attribute { name: "author" '
                                       'repeated: true }\n')
            pipeline.truth.write_text("".join(
                json.dumps({"url": url, "values": values}) + "\n"
                for url, values in (
                    ("ua", {"title": ["A"], "author": []}),
                    ("ub", {"title": ["B"], "author": ["x", "y"]}),
                    ("uc", {"title": ["C", "c"], "author": []}))))
            pipeline.annotate({"a": "ua", "b": "ub", "c": "uc"})
            lines = [json.loads(line) for line in
                     pipeline.annotations.read_text().splitlines()]
        self.assertEqual(dict(pipeline.annotated), {"b": 1, "c": 1})
        self.assertEqual(sorted(lines, key=lambda line: line["url"]), [
            {"url": "ub", "attribute": "title", "value": "B"},
            {"url": "ub", "attribute": "author", "value": "x"},
            {"url": "ub", "attribute": "author", "value": "y"},
            {"url": "uc", "attribute": "title", "value": "C"},
            {"url": "uc", "attribute": "author", "absent": True}])


if __name__ == "__main__":
    unittest.main()

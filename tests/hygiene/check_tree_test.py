#!/usr/bin/env python3
"""check_tree.py finds what it is there to find, on small made-up trees."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("check_tree.py")
GOOD = {
    ".clang-format": "BasedOnStyle: Google\n",
    "core/README.md": "| `base/` | x |\n| `html/` | x |\n| `learn/` | x |\n",
    "mapreduce/README.md": "| `io/` | x |\n",
    "jobs/README.md": "| `cli/` | x |\n| `dom/` | x |\n| `generate/` | x |\n",
    "core/base/text.h": "#include <string>\n",
    "core/html/parser.h": '#include "core/base/text.h"\n',
    "synth/generator.h": '#include "core/base/text.h"\n',
    "core/html/node.h": "namespace a {\nstruct Node {};\n}  // namespace a\n",
    "core/learn/learner.cc": "void F() { g.add_alternative(); }\n",
    "mapreduce/io/path.h": '#include "core/base/text.h"\n',
    "jobs/cli/verb.h": '#include "core/html/parser.h"\n',
    "jobs/dom/dom.h": '#include "jobs/cli/verb.h"\n',
    "jobs/generate/generate.h": '#include "synth/generator.h"\n',
    "tests/core/base/text_test.cc": '#include "core/base/text.h"\n',
    "tests/core/base/CMakeLists.txt": "trommel_test(t SOURCES text_test.cc)\n",
}

# Check, file, content, part of the message.
BAD = [
    ("layering", "core/html/bad.h", '#include "mapreduce/io/path.h"\n',
     "core includes neither mapreduce nor jobs"),
    ("layering", "core/html/bad.h", '#include "jobs/cli/verb.h"\n',
     "core includes neither mapreduce nor jobs"),
    ("layering", "core/html/bad.h", "#include <arrow/api.h>\n",
     "core does not know Arrow"),
    ("layering", "core/base/bad.h", '#include "core/html/parser.h"\n',
     "core/base includes no topic"),
    ("layering", "core/html/bad.cc", 'void F() { printf("x"); }\n',
     "prints nothing"),
    ("layering", "synth/bad.h", '#include "mapreduce/io/path.h"\n',
     "synth includes neither mapreduce nor jobs"),
    ("layering", "synth/bad.h", '#include "jobs/cli/verb.h"\n',
     "synth includes neither mapreduce nor jobs"),
    ("layering", "synth/bad.h", "#include <parquet/api.h>\n",
     "synth does not know Arrow"),
    ("layering", "synth/bad.cc", 'void F() { printf("x"); }\n',
     "synth prints nothing"),
    ("layering", "core/html/bad.h", '#include "synth/generator.h"\n',
     "only jobs/generate and tests use synth"),
    ("layering", "mapreduce/io/bad.h", '#include "synth/generator.h"\n',
     "only jobs/generate and tests use synth"),
    ("layering", "jobs/dom/bad.h", '#include "synth/generator.h"\n',
     "only jobs/generate and tests use synth"),
    ("layering", "mapreduce/io/bad.h", '#include "core/html/parser.h"\n',
     "mapreduce uses core/base only"),
    ("layering", "mapreduce/io/bad.h", '#include "jobs/cli/verb.h"\n',
     "mapreduce does not know jobs"),
    ("layering", "jobs/cli/bad.h", '#include "jobs/dom/dom.h"\n',
     "jobs do not include each other"),
    ("layering", "jobs/dom/bad.h", '#include "tests/core/base/x.h"\n',
     "only tests include tests"),
    ("registered", "tests/core/base/other_test.cc", "\n",
     "tests/core/base/other_test.cc is not registered"),
    ("registered", "tests/core/new/other_test.cc", "\n", "is not registered"),
    ("registered", "tests/core/base/more_test.sh", "\n", "is not registered"),
    ("format", "core/html/bad.cc", "int   x;\n", "is not formatted"),
    ("files", "core/new/new.h", "\n", "does not name new/"),
    ("files", "jobs/README.md", "| `cli/` | x |\n| `gone/` | x |\n",
     "names gone/"),
    ("types", "jobs/dom/bad.h", "namespace b {\nstruct Node {};\n}\n",
     "jobs/dom/bad.h:2: Node is also at core/html/node.h:2"),
    ("types", "jobs/dom/bad.cc", "class Node final : public Base {};\n",
     "Node is also"),
    ("types", "jobs/dom/bad.cc", "enum class Node : char { kX };\n",
     "Node is also"),
    ("types", "jobs/dom/bad.cc", "using Node = int;\n", "Node is also"),
    ("types", "jobs/dom/bad.cc",
     "namespace a::b {\ntemplate <typename T = std::set<int>>\n"
     "class Node {};\n}\n", "Node is also"),
    ("types", "jobs/dom/bad.cc",
     "#define OPEN {\nconst int x = 1'0; // {\nconst auto y = R\"({)\";\n"
     "struct Node {};\n", "bad.cc:4: Node is also"),
    ("names", "core/html/bad.h", "int of_page;\n",
     "core/html/bad.h:1: of_page does not say what it is"),
    ("names", "tests/core/base/bad.h", "int Those();\n", "Those"),
    ("names", "jobs/cli/bad.h", "enum class Place { kThere };\n", "kThere"),
    ("alternatives", "jobs/dom/bad.cc", "int x = rule->alternative(1);\n",
     "jobs/dom/bad.cc:1: alternative() is for"),
    ("alternatives", "core/html/bad.cc", "int x = r.alternative_size();\n",
     "alternative_size() is for"),
    ("alternatives", "core/html/bad.cc", "auto& x = *r.add_alternative();\n",
     "add_alternative() is for"),
    ("alternatives", "core/html/bad.cc", "x = *r.mutable_alternative(1);\n",
     "mutable_alternative() is for"),
    ("namespaces", "core/html/bad.h", "namespace trommel {\n",
     "core/html/bad.h: trommel is not this folder's namespace, trommel::html"),
    ("namespaces", "core/html/direct/bad.h", "namespace trommel::html {\n",
     "namespace, trommel::html::direct"),
    ("namespaces", "core/base/bad.h", "namespace trommel_base {\n",
     "namespace, trommel"),
    ("namespaces", "jobs/dom/bad.cc", "namespace trommel::jobs::cli {\n",
     "namespace, trommel::jobs::dom"),
    ("namespaces", "jobs/learn/bad.cc", "namespace trommel::jobs::learn {\n",
     "namespace, trommel::jobs::learn_job"),
    ("namespaces", "synth/bad.cc", "namespace trommel {\n",
     "namespace, trommel::synth"),
]

# Check, file, content that looks like what the check finds and is not.
NEARLY_BAD = [
    ("types", "jobs/dom/fine.cc", "namespace a {\nnamespace {\n"
     "struct Node {};\nusing Node = int;\n}\n}\n"),
    ("types", "jobs/dom/fine.h", "class Tree {\n  struct Node {};\n"
     "  using Node = int;\n};\n"),
    ("types", "jobs/dom/fine.h", "struct Node;\nenum class Node : char;\n"
     "using a::Node;\n"),
    ("types", "jobs/dom/fine.h", "template <>\nstruct Node<int> {};\n"),
    ("types", "jobs/dom/fine.h", "struct Tree::Node {};\n"),
    ("types", "jobs/dom/fine.cc", "void F() {\n  struct Node {};\n}\n"),
    ("types", "jobs/dom/fine.h", "// struct Node {};\n"),
    ("types", "tests/core/base/fine.h", "struct Node {};\n"),
    ("names", "core/html/fine.h", "// of_page\nint signature_of_page;\n"
     'const char* x = "of_page";\n'),
    ("alternatives", "jobs/dom/fine.cc", "// alternative()\n"
     "const int alternative = 1;\n"),
    ("alternatives", "tests/core/base/fine.cc", "x.add_alternative();\n"),
    ("namespaces", "jobs/export/fine.cc",
     "namespace arrow {\n}\nnamespace trommel::jobs::export_job {\n"),
    ("namespaces", "core/html/fine.h", "namespace trommel::html::inner {\n"),
    ("namespaces", "mapreduce/io/fine.h", "namespace trommel {\n"),
]


def run(check, files):
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content, encoding="utf-8")
        result = subprocess.run(
            [sys.executable, CHECK, check, directory],
            capture_output=True, text=True, check=False)
        return result.returncode, result.stdout + result.stderr


class CheckTreeTest(unittest.TestCase):

    def test_good_tree_passes(self):
        for check in ("layering", "registered", "format", "files", "types",
                      "names", "alternatives", "namespaces"):
            with self.subTest(check=check):
                self.assertEqual(run(check, GOOD), (0, ""))

    def test_bad_trees_fail(self):
        for check, name, content, message in BAD:
            with self.subTest(check=check, file=name, message=message):
                code, output = run(check, {**GOOD, name: content})
                self.assertEqual(code, 1, output)
                self.assertIn(message, output)

    def test_nearly_bad_trees_pass(self):
        for check, name, content in NEARLY_BAD:
            with self.subTest(check=check, file=name, content=content):
                self.assertEqual(run(check, {**GOOD, name: content}), (0, ""))

    def test_cycle_between_topics_fails(self):
        code, output = run("layering", {
            **GOOD,
            "core/a/a.h": '#include "core/b/b.h"\n',
            "core/b/b.h": '#include "core/a/a.h"\n',
        })
        self.assertEqual(code, 1)
        self.assertIn("cycle in core", output)

    def test_cycle_between_folders_of_a_verb_fails(self):
        code, output = run("layering", {
            **GOOD,
            "jobs/run/run.cc": '#include "jobs/run/stages/stages.h"\n',
            "jobs/run/stages/stages.h": '#include "jobs/run/run.h"\n',
        })
        self.assertEqual(code, 1)
        self.assertIn("cycle in jobs: jobs/run -> jobs/run/stages -> jobs/run",
                      output)


if __name__ == "__main__":
    unittest.main()

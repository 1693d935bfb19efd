#!/usr/bin/python3
"""completion_test.py TROMMEL: what a bash at a terminal makes of the tab key
after it has read `trommel --completion=bash`."""
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
import unittest

TROMMEL = sys.argv.pop(1)
PATIENCE_S = 60


class Terminal:
    """An interactive bash in which `trommel` prints its arguments."""

    def __init__(self, folder):
        script = pathlib.Path(folder) / "completion"
        script.write_bytes(
            subprocess.run([TROMMEL, "--completion=bash"], capture_output=True,
                           check=True).stdout)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", PS1="", INPUTRC="/dev/null")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.ask("bind 'set enable-bracketed-paste off'; source ./completion; "
                 'trommel() { printf "<%s>" "$@"; }')

    def ask(self, line):
        """What the line prints, its tabs included."""
        os.write(self.terminal, f"{line}; echo; echo END''MARK\n".encode())
        seen = b""
        deadline = time.monotonic() + PATIENCE_S
        while b"ENDMARK" not in seen:
            if not select.select([self.terminal], [], [], 1)[0]:
                if time.monotonic() > deadline:
                    raise AssertionError(f"bash is silent after {seen!r}")
                continue
            seen += os.read(self.terminal, 65536)
        return seen.decode()

    def words(self, line):
        """The arguments that `trommel` was called with, once tabs were typed."""
        return re.findall(r"<([^<>]*)>", self.ask(line))

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


class CompletionTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.bash = Terminal(self.folder.name)
        self.addCleanup(self.bash.close)

    def test_table(self):
        (pathlib.Path(self.folder.name) / "pages of today").mkdir()
        for typed, expected in (
                ("ext\t", ["extract"]),
                ("gen\t--sp\tx", ["generate", "--spec=x"]),
                ("extract --en\tl\t", ["extract", "--engine=local"]),
                ("extract --parser=g\t", ["extract", "--parser=gumbo"]),
                ("extract --fo\t--js\t", ["extract", "--force", "--json"]),
                ("extract --crawl=pag\t", ["extract", "--crawl=pages of today/"]),
                ("dom pag\t", ["dom", "pages of today/"]),
                ("run x --only=ext\t", ["run", "x", "--only=extract"]),
                ("--ver\t", ["--version"]),
                ("--comp\tb\t", ["--completion=bash"])):
            with self.subTest(typed):
                self.assertEqual(self.bash.words(f"trommel {typed}"), expected)

    def test_every_verb_is_offered(self):
        help_text = subprocess.run([TROMMEL, "--help"], capture_output=True,
                                   text=True, check=True).stdout
        verbs = re.findall(r"^  ([a-z]+) ", help_text, re.MULTILINE)
        self.assertGreater(len(verbs), 10)
        for verb in verbs:
            with self.subTest(verb):
                # All but its last letter, and a tab where that leaves no doubt.
                others = [name for name in verbs
                          if name.startswith(verb[:-1]) and name != verb]
                if not others:
                    self.assertEqual(
                        self.bash.words(f"trommel {verb[:-1]}\t"), [verb])


if __name__ == "__main__":
    unittest.main()

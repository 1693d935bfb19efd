#!/usr/bin/python3
"""completion_test.py TROMMEL: what a bash or zsh at a terminal makes of the tab
key after it has read `trommel --completion=bash` or zsh."""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TROMMEL = sys.argv.pop(1)
PATIENCE_S = 60


# How a shell is started without a user's settings, and what it is told first.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "bind 'set enable-bracketed-paste off'; source ./completion"),
    "zsh": (["zsh", "-f", "-i"],
            "unset zle_bracketed_paste; setopt no_auto_remove_slash; "
            "autoload -U compinit; compinit -D -u; source ./completion"),
}


class Terminal:
    """An interactive shell in which `trommel` prints its arguments."""

    def __init__(self, shell, folder):
        script = pathlib.Path(folder) / "completion"
        script.write_bytes(
            subprocess.run([TROMMEL, f"--completion={shell}"],
                           capture_output=True, check=True).stdout)
        command, settings = SHELLS[shell]
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", PS1="", INPUTRC="/dev/null")
            os.execvp(command[0], command)
        self.ask(settings)
        self.ask('trommel() { printf "<%s>" "$@"; }')

    def ask(self, line):
        """What the line prints, its tabs included."""
        os.write(self.terminal, f"{line}; echo; echo END''MARK\n".encode())
        seen = b""
        deadline = time.monotonic() + PATIENCE_S
        while b"ENDMARK" not in seen:
            if not select.select([self.terminal], [], [], 1)[0]:
                if time.monotonic() > deadline:
                    raise AssertionError(f"silence after {seen!r}")
                continue
            seen += os.read(self.terminal, 65536)
        return seen.decode()

    def words(self, line):
        """The arguments that `trommel` was called with, once tabs were typed."""
        return re.findall(r"<([^<>]*)>", self.ask(line))

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


class BashTest(unittest.TestCase):
    SHELL = "bash"

    def setUp(self):
        if not shutil.which(self.SHELL):
            why = f"NOT TESTED: there is no {self.SHELL} on this machine"
            print(why, file=sys.stderr)
            self.skipTest(why)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.shell = Terminal(self.SHELL, self.folder.name)
        self.addCleanup(self.shell.close)

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
                ("--comp\tb\t", ["--completion=bash"]),
                ("--completion=z\t", ["--completion=zsh"])):
            with self.subTest(typed):
                self.assertEqual(self.shell.words(f"trommel {typed}"), expected)

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
                        self.shell.words(f"trommel {verb[:-1]}\t"), [verb])


class ZshTest(BashTest):
    SHELL = "zsh"


if __name__ == "__main__":
    unittest.main()

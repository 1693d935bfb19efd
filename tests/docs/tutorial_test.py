#!/usr/bin/python3
"""tutorial_test.py TROMMEL [--rewrite]: docs/tutorial.md, followed word for word
in an empty folder, prints what it says. --rewrite puts what was printed into the
file instead."""
import os
import pathlib
import sys
import tempfile

import console

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs/tutorial.md"


def main(arguments):
    trommel = pathlib.Path(arguments[1]).resolve()
    markdown = TUTORIAL.read_text(encoding="utf-8")
    commands = console.parse(markdown)
    environment = dict(os.environ, CHECKOUT=str(ROOT), LC_ALL="C.UTF-8",
                       PATH=f"{trommel.parent}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as folder:
        console.run(commands, folder, environment)
    if arguments[2:] == ["--rewrite"]:
        TUTORIAL.write_text(console.rewritten(markdown, commands),
                            encoding="utf-8")
    failures = 0
    for command in commands:
        if command.exit_code == 0 and command.is_as_shown():
            continue
        failures += 1
        print(f"{TUTORIAL}:{command.line}: $ {command.text}\n"
              f"exit code {command.exit_code}; printed\n{command.printed}"
              "instead of\n" + "".join(f"{line}\n" for line in command.shown))
    print(f"{len(commands)} commands, {failures} not as shown")
    return 1 if failures or len(commands) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

"""The ```console blocks of a Markdown file: commands ("$ ", further lines "> ")
and what they print. In that, "..." stands for whatever differs or is left out:
alone in a line for any lines, also none; else for the rest of a word or words."""
import pathlib
import re
import subprocess
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELLIPSIS = "..."
# Verbs report progress after some seconds, which only a slow machine sees.
PROGRESS = re.compile(r"^[a-z].*, [\d,]+/s\n", re.MULTILINE)


class Command:
    """A command, the output that is shown with it, and what it printed."""

    def __init__(self, text, line):
        self.text = text
        self.line = line
        self.shown = []
        self.printed = None
        self.exit_code = None

    def is_as_shown(self):
        pattern = "".join(
            "(?:.*\n)*" if line == ELLIPSIS else
            ".*".join(map(re.escape, line.split(ELLIPSIS))) + "\n"
            for line in self.shown)
        return re.fullmatch(pattern, self.printed) is not None


def parse_block(block, first_line):
    commands = []
    for number, line in enumerate(block.splitlines(), first_line):
        if line.startswith("$ "):
            commands.append(Command(line[2:], number))
        elif not commands:
            raise ValueError(f"line {number}: output before the first command")
        elif line.startswith("> ") and not commands[-1].shown:
            commands[-1].text += "\n" + line[2:]
        elif line == ">" and not commands[-1].shown:
            commands[-1].text += "\n"
        else:
            commands[-1].shown.append(line)
    return commands


def parse(markdown):
    """All commands, in order."""
    commands = []
    for match in BLOCK.finditer(markdown):
        first_line = markdown.count("\n", 0, match.start(1)) + 1
        commands += parse_block(match[1], first_line)
    return commands


def run(commands, folder, environment):
    """Runs them in one bash that starts in `folder`; fills in what they did.
    What is not run because bash ended keeps exit_code None."""
    with tempfile.TemporaryDirectory() as results:
        script = ""
        for number, command in enumerate(commands):
            script += (f"{{\n{command.text}\n}} >{results}/{number}.out 2>&1 "
                       f"</dev/null\necho $? >{results}/{number}.code\n")
        subprocess.run(["bash", "-c", script], cwd=folder, env=environment,
                       check=False)
        for number, command in enumerate(commands):
            out = pathlib.Path(results, f"{number}.out")
            code = pathlib.Path(results, f"{number}.code")
            printed = (out.read_text(encoding="utf-8")
                       if out.exists() else "")
            command.printed = PROGRESS.sub("", printed)
            if code.exists():
                command.exit_code = int(code.read_text())


def rewritten(markdown, commands):
    """The file with the output of the commands that printed something else than
    it shows."""
    remaining = iter(commands)

    def replace(match):
        lines = []
        for _ in parse_block(match[1], 0):
            command = next(remaining)
            first, *others = command.text.split("\n")
            lines += [f"$ {first}"] + [f"> {line}".rstrip() for line in others]
            lines += (command.shown if command.is_as_shown()
                      else command.printed.splitlines())
        return "```console\n" + "\n".join(lines) + "\n```"

    return BLOCK.sub(replace, markdown)

#!/usr/bin/python3
"""How the blocks of a Markdown file are run and compared."""
import os
import tempfile
import unittest

import console

PAGE = """Text.
```console
$ x=1
$ cat <<'END'
> a
>
> b
> END
a

b
```
```sh
exit 1
```
```console
$ echo $x; (exit 3)
1
$ printf 'first\\nsecond 17 s\\nthird\\n'
...
second ... s
third
$ echo new
old
```
"""


class ConsoleTest(unittest.TestCase):
    def run_page(self):
        commands = console.parse(PAGE)
        with tempfile.TemporaryDirectory() as folder:
            console.run(commands, folder, os.environ)
        return commands

    def test_commands_share_a_shell_and_are_compared(self):
        commands = self.run_page()
        self.assertEqual([command.line for command in commands],
                         [3, 4, 17, 19, 23])
        self.assertEqual([command.exit_code for command in commands],
                         [0, 0, 3, 0, 0])
        self.assertEqual([command.is_as_shown() for command in commands],
                         [True, True, True, True, False])

    def test_only_what_differs_is_rewritten(self):
        self.assertEqual(console.rewritten(PAGE, self.run_page()),
                         PAGE.replace("\nold\n", "\nnew\n"))

    def test_a_command_that_ends_the_shell_is_noticed(self):
        commands = console.parse("```console\n$ exit 0\n$ true\n```\n")
        with tempfile.TemporaryDirectory() as folder:
            console.run(commands, folder, os.environ)
        self.assertIsNone(commands[1].exit_code)

    def test_output_before_a_command_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "line 2"):
            console.parse("```console\nhello\n```\n")


if __name__ == "__main__":
    unittest.main()

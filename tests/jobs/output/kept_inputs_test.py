#!/usr/bin/python3
"""kept_inputs_test.py TROMMEL: --force deletes no input. Every input of a call
of every verb is put into the output that the call replaces, where nothing but
the check of paths protects it: the call is refused, and all is as it was."""
import json
import pathlib
import shutil
import sys
import tempfile

import verb_calls


def old_output(calls, verb, folder):
    """A finished output whose manifest does not list every file, as those of
    earlier versions do not."""
    out = folder / "out"
    shutil.copytree(calls.output(verb), out)
    manifest = verb_calls.manifest_of(out)
    del manifest["other_files"]
    (out / "_SUCCESS").write_text(json.dumps(manifest))
    return out


def check_is_kept(calls, verb, number, folder):
    call = calls.by_verb[verb]
    flag, path = call.inputs[number]
    out = old_output(calls, verb, folder)
    copy = verb_calls.copy_to(path, out / "inside")
    before = verb_calls.tree(out)
    said = call.run(out, "--force", expect=2, replaced={number: copy}).stderr
    assert f"{flag}={copy}" in said or f"INPUT {copy}" in said, said
    assert f"--out={out}" in said, said
    assert verb_calls.tree(out) == before, f"{verb} --{flag}: files have changed"


def check_unlisted_file(calls, verb, folder):
    """Nor does it delete what a person has left in an output."""
    call = calls.by_verb[verb]
    out = folder / "out"
    shutil.copytree(calls.output(verb), out)
    call.run(out, "--force")
    notes = out / "notes.txt"
    notes.write_text("mine")
    said = call.run(out, "--force", expect=1).stderr
    assert str(notes) in said, said
    assert notes.read_text() == "mine"


def main():
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp).resolve()
        (temp / "done").mkdir()
        calls = verb_calls.Calls(sys.argv[1], temp / "done")
        checked = 0
        for verb, call in calls.by_verb.items():
            for number in range(len(call.inputs)):
                check_is_kept(calls, verb, number, temp / f"{verb}-{number}")
                checked += 1
            check_unlisted_file(calls, verb, temp / f"{verb}-notes")
        print(f"ok: {checked} inputs of {len(calls.by_verb)} verbs are kept")


if __name__ == "__main__":
    main()

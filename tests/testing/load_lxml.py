"""lxml as deploy/setup unpacked it, for scripts that compare with it or change
pages by it."""
import glob
import os
import sys


def load_lxml():
    cache = os.environ.get("TROMMEL_CACHE") or os.path.expanduser(
        "~/.cache/trommel")
    sys.path.extend(sorted(glob.glob(f"{cache}/lxml-*")))
    import lxml.html  # pylint: disable=import-outside-toplevel
    return lxml

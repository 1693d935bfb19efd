#!/usr/bin/env bash
# The man page is one that troff has nothing to say about, and says what --help
# says: `man_page_test.sh TROMMEL`. Without groff only the latter is looked at.
set -euo pipefail
trommel=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$trommel" --man >"$work/trommel.1"
for verb in $("$trommel" --help | sed -n '/^Subcommands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  grep -q "^.SS trommel $verb\$" "$work/trommel.1"
  for flag in $("$trommel" "$verb" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
    [ "$flag" = help ] || grep -q -F -- "\\-\\-${flag//-/\\-}" "$work/trommel.1" ||
      { echo "the man page lacks --$flag of $verb" >&2; exit 1; }
  done
done
command -v groff >/dev/null || { echo "no groff: its opinion is not asked"; exit 0; }
groff -k -man -Tutf8 -ww -z "$work/trommel.1" 2>"$work/warnings"
if [ -s "$work/warnings" ]; then
  cat "$work/warnings" >&2
  exit 1
fi
groff -k -man -Tutf8 "$work/trommel.1" >"$work/page"
grep -q 'trommel extract --crawl=crawl' "$work/page"

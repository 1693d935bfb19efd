#!/usr/bin/env bash
# The install tree runs after being moved, with nothing of the build or of the
# set-up's cache in reach: `install_tree_test.sh BUILD_DIRECTORY`.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
# Every library must come from the tree itself or from a minimal Debian.
foreign=$(env -i ldd "$work/moved/bin/trommel" |
  awk '/=>/ {print $3}' |
  grep -v -e "^$work/moved/" \
    -e '/\(libc\|libm\|libdl\|librt\|libpthread\|ld-linux.*\)\.so' || true)
if [ -n "$foreign" ]; then
  echo "libraries from outside the install tree: $foreign" >&2
  exit 1
fi
printf '<h1>Moved</h1>' >"$work/page.html"
output=$(cd "$work" && env -i "$work/moved/bin/trommel" dom page.html)
grep -q '"Moved"' <<<"$output"
env -i "$work/moved/bin/trommel" --version
# The texts that the program writes about itself.
grep -q '^.TH TROMMEL 1' "$work/moved/share/man/man1/trommel.1"
grep -q '^complete -F _trommel trommel' \
  "$work/moved/share/bash-completion/completions/trommel"
head -n 1 "$work/moved/share/zsh/site-functions/_trommel" |
  grep -qx '#compdef trommel'

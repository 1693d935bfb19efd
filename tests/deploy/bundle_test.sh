#!/usr/bin/env bash
# bundle_test.sh BUILD: the archive of deploy/bundle works on a machine with
# nothing but a C library, and with nothing of the build or of the set-up's cache
# in reach. The machine is a folder that the program takes for the root.
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

"$root/deploy/bundle" --build="$build" "$work/first.tar.gz"
"$root/deploy/bundle" --build="$build" "$work/second.tar.gz" >/dev/null
cmp "$work/first.tar.gz" "$work/second.tar.gz" || fail "packed twice, two archives"
machine=$work/machine
mkdir -p "$machine"/{opt,dev,proc,tmp,lib64,lib/x86_64-linux-gnu}
tar --extract --file "$work/first.tar.gz" --directory "$machine/opt"
tree=$(echo "$machine"/opt/trommel-*)
program=${tree#"$machine"}/bin/trommel

# Every library comes from the tree or belongs to the C library.
foreign=$(env -i ldd "$tree/bin/trommel" "$tree"/lib/*.so* | grep '=>' |
  grep -v -e "=> $tree/" -e 'libjvm\.so => not found' \
    -e '/\(libc\|libm\|libdl\|librt\|libpthread\|libresolv\|ld-linux.*\)\.so' || true)
[ -z "$foreign" ] || fail "libraries from outside the archive: $foreign"
# The texts that the program writes about itself, and what comes with it.
grep -q '^.TH TROMMEL 1' "$tree/share/man/man1/trommel.1"
grep -q '^complete -F _trommel trommel' \
  "$tree/share/bash-completion/completions/trommel"
head -n 1 "$tree/share/zsh/site-functions/_trommel" | grep -qx '#compdef trommel'
for file in doc/trommel/tutorial.md doc/trommel/LICENSE \
  trommel/schemas/movie.textproto trommel/nightly/pipeline.textproto; do
  [ -s "$tree/share/$file" ] || fail "no share/$file"
done

# The licences of all that is in it: of every library, and of every header that the
# sources name, whether something is linked with it or not.
licences=$tree/share/doc/trommel/licences
sources_of() { dpkg-query --show --showformat '${source:Package}\n' "$@"; }
owners_of() { dpkg-query --search "$@" 2>/dev/null | sed 's/: .*//' | tr -d ' ' | tr , '\n'; }
mapfile -t headers < <(cd "$root" && grep --recursive --no-filename --only-matching \
  --include='*.h' --include='*.cc' '^#include [<"][^>"]*' core jobs mapreduce synth |
  sed 's/.*[<"]//' | sort --unique)
missing=''
# shellcheck disable=SC2046  # names of packages, several
for header in "${headers[@]}"; do
  [ ! -e "$root/$header" ] && [ -e "/usr/include/$header" ] || continue
  for source in $(sources_of $(owners_of "/usr/include/$header")); do
    [ -s "$licences/$source" ] || missing+=" $source (of $header)"
  done
done
# shellcheck disable=SC2046
for library in "$tree"/lib/*; do
  name=$(basename "$library")
  case $name in
    libarrow.* | libparquet.*) sources=arrow ;;
    libhdfs.so) sources=libhdfs ;;
    *) sources=$(sources_of $(owners_of "*/$name")) ;;
  esac
  [ -n "$sources" ] || missing+=" $name"
  for source in $sources; do
    [ -s "$licences/$source" ] || missing+=" $source (of $name)"
  done
done
# Also by their names, should what is above find nothing.
for source in abseil arrow cli11 gumbo-parser lexbor libhdfs libpsl libzstd \
  nlohmann-json3 protobuf pugixml re2 xxhash zlib; do
  [ -s "$licences/$source" ] || missing+=" $source"
done
[ -z "$missing" ] || fail "no licence of$missing"
# What they refer to, too.
for text in $(grep --recursive --only-matching --no-filename \
  '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' "$licences" | sort --unique); do
  [ ! -f "$text" ] || [ -s "$licences/common/$(basename "$text")" ] ||
    fail "no $text among the licences"
done

for library in libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 \
  libresolv.so.2; do
  cp "/lib/x86_64-linux-gnu/$library" "$machine/lib/x86_64-linux-gnu/"
done
cp /lib64/ld-linux-x86-64.so.2 "$machine/lib64/"
own_mounts=(unshare --mount)
[ "$(id -u)" = 0 ] || own_mounts+=(--user --map-root-user)
# on_machine COMMAND...: with the folder as its root.
on_machine() {
  # shellcheck disable=SC2016
  "${own_mounts[@]}" sh -c \
    'mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" && root=$1 &&
     shift && exec env -i \
     "$(command -v chroot || echo /usr/sbin/chroot)" "$root" "$@"' \
    sh "$machine" "$@"
}
if ! "${own_mounts[@]}" true; then
  echo "SKIPPED: no right to mount, so nothing ran with the folder as its root"
  exit 0
fi

on_machine "$program" --version
printf '<meta charset=windows-1252><h1>\x93Moved\x94</h1>' >"$machine/page.html"
on_machine "$program" dom /page.html | grep -q '“Moved”' ||
  fail "another charset needs more than the archive"
cat >"$machine/spec.textproto" <<END
seed: 5
start_date: "2026-01-01"
days: 1
site { host: "films.example" vertical: "movie" pages: 40 }
END
on_machine "$program" generate --spec=/spec.textproto --out=/web
crawl=/web/day=2026-01-01/crawl
on_machine "$program" cluster --crawl=$crawl --out=/clusters --workers=2
on_machine "$program" sample --crawl=$crawl --clusters=/clusters \
  --schema=/web/schemas/movie.textproto --out=/samples
# The rows are those of this machine.
"$build/trommel" cluster --crawl="$machine$crawl" --out="$work/clusters" >/dev/null
rows() {
  /usr/bin/python3 "$root/tests/testing/table_rows.py" "$1"/{clusters,assignments}
}
rows "$work/clusters" >"$work/here"
rows "$machine/clusters" >"$work/there"
[ -s "$work/here" ] || fail "no rows"
cmp "$work/here" "$work/there" || fail "other rows there"
echo "ok"

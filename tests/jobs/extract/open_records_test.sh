#!/usr/bin/env bash
# open_records_test.sh TROMMEL WRITE_RULES: other programs open the records.
# Exit code 77 when DuckDB is not there (deploy/setup fetches it).
set -euo pipefail
trommel=$1
write_rules=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/spec.textproto" <<END
seed: 5
start_date: "2026-01-01"
site { host: "www.one.example" vertical: "movie" pages: 60 }
site { host: "www.two.example" vertical: "book" pages: 40 }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
crawl=$work/web/day=2026-01-01/crawl
"$trommel" cluster --crawl="$crawl" --out="$work/clusters" >/dev/null
"$write_rules" "$work/clusters/clusters" "$root/schemas/movie.textproto" \
  "$work/movie.binpb" "one" "title=//title/text()" "genre=//a/@href"
"$write_rules" "$work/clusters/clusters" "$root/schemas/book.textproto" \
  "$work/book.binpb" "two" "title=//title/text()" "author=//a/@href"
"$trommel" extract --crawl="$crawl" --rules="$work/movie.binpb" \
  --rules="$work/book.binpb" --split-mb=1 --out="$work/out"
exec /usr/bin/python3 "$here/open_records.py" "$work/out" 60 40

#!/usr/bin/env bash
# extract_hadoop_test.sh TROMMEL WRITE_RULES: `trommel extract` on the cluster of
# the environment (tests/testing/with_cluster.sh) writes the rows that it writes
# locally, and skips what it has extracted before.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"
write_rules=$2
rows() { table_rows "$1"/{records/schema={movie,book},rejects,figures}; }

cat >"$work/spec.textproto" <<END
seed: 12
start_date: "2026-01-01"
site { host: "www.one.example" vertical: "movie" pages: 300 }
site { host: "www.two.example" vertical: "book" pages: 200 }
site { host: "www.three.example" vertical: "book" pages: 40 }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
crawl=$work/web/day=2026-01-01/crawl
"$trommel" cluster --crawl="$crawl" --out="$work/clusters" >/dev/null
"$write_rules" "$work/clusters/clusters" "$root/schemas/movie.textproto" \
  "$work/movie.binpb" "one" "title=//title/text()" "genre=//td/text()"
"$write_rules" "$work/clusters/clusters" "$root/schemas/book.textproto" \
  "$work/book.binpb" "two" "title=//title/text()" "author=//a/@href"
"$trommel" extract --crawl="$crawl" --rules="$work/movie.binpb" \
  --rules="$work/book.binpb" --out="$work/local"
rows "$work/local" >"$work/local.rows"
[ "$(grep -vc ^figures "$work/local.rows")" -eq 540 ] || fail "not every page once"

hadoop_fs -put "$crawl" "$hdfs/crawl"
hadoop_fs -put "$work"/{movie,book}.binpb "$hdfs/"
"$trommel" extract --engine=hadoop --crawl="$hdfs/crawl" \
  --rules="$hdfs/movie.binpb" --rules="$hdfs/book.binpb" --out="$hdfs/out" \
  --split-mb=4
hadoop_fs -get "$hdfs/out" "$work/hadoop"
rows "$work/hadoop" | cmp - "$work/local.rows" || fail "other rows on the cluster"

"$trommel" extract --engine=hadoop --crawl="$hdfs/crawl" \
  --rules="$hdfs/movie.binpb" --rules="$hdfs/book.binpb" --since="$hdfs/out" \
  --out="$hdfs/again" | tee "$work/again.txt"
grep -q "0 records, 40 rejected, 500 skipped" "$work/again.txt" ||
  fail "not all pages were skipped"
echo "ok"

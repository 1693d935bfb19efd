#!/usr/bin/env bash
# cluster_hadoop_test.sh TROMMEL: `trommel cluster` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the rows that it writes
# locally, from a crawl and from a table of signatures.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"
# rows OUT: the rows of clusters, assignments and sites, sorted.
rows() { table_rows "$1"/{clusters,assignments,sites}; }

cat >"$work/spec.textproto" <<END
seed: 11
start_date: "2026-01-01"
days: 2
site { host: "www.one.example" vertical: "movie" pages: 300 }
site { host: "www.two.example" vertical: "book" pages: 200 }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
# A file is a split at least, so two days are two map tasks.
crawls() { echo "--crawl=$1/day=2026-01-01/crawl" "--crawl=$1/day=2026-01-02/crawl"; }
"$trommel" cluster $(crawls "$work/web") --out="$work/local"
rows "$work/local" >"$work/local.rows"
[ "$(wc -l <"$work/local.rows")" -gt 502 ] || fail "too few rows"

hadoop_fs -put "$work/web" "$hdfs/web"
"$trommel" cluster --engine=hadoop $(crawls "$hdfs/web") --out="$hdfs/out" \
  --split-mb=16 --reducers=2
hadoop_fs -get "$hdfs/out" "$work/hadoop"
rows "$work/hadoop" | cmp - "$work/local.rows" || fail "other rows on the cluster"
[ -s "$work/hadoop/report.html" ] || fail "no report"
splits=$(find "$work/hadoop/signatures" -name 'part-*.parquet' | wc -l)
[ "$splits" -ge 2 ] || fail "the crawl was not split"

"$trommel" cluster --engine=hadoop --signatures="$hdfs/out/signatures" \
  --out="$hdfs/again" --reducers=1
hadoop_fs -get "$hdfs/again" "$work/again"
rows "$work/again" | cmp - "$work/local.rows" || fail "other rows from signatures"
echo "ok"

#!/usr/bin/env bash
# cluster_hadoop_test.sh TROMMEL: `trommel cluster` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the rows that it writes
# locally, from a crawl and from a table of signatures.
set -euo pipefail
trommel=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
hdfs=$TROMMEL_TEST_HDFS/cluster-test-$$
cleanup() {
  rm -rf "$work"
  "$HADOOP_HOME/bin/hadoop" fs -rm -r -f -skipTrash "$hdfs" >/dev/null 2>&1 || true
}
trap cleanup EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
# rows OUT: the rows of clusters, assignments and sites, sorted.
rows() { /usr/bin/python3 "$root/tests/testing/table_rows.py" "$1"/{clusters,assignments,sites}; }

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

"$HADOOP_HOME/bin/hadoop" fs -mkdir -p "$hdfs"
"$HADOOP_HOME/bin/hadoop" fs -put "$work/web" "$hdfs/web"
"$trommel" cluster --engine=hadoop $(crawls "$hdfs/web") --out="$hdfs/out" \
  --split-mb=16 --reducers=2
"$HADOOP_HOME/bin/hadoop" fs -get "$hdfs/out" "$work/hadoop"
rows "$work/hadoop" | cmp - "$work/local.rows" || fail "other rows on the cluster"
[ -s "$work/hadoop/report.html" ] || fail "no report"
splits=$(find "$work/hadoop/signatures" -name 'part-*.parquet' | wc -l)
[ "$splits" -ge 2 ] || fail "the crawl was not split"

"$trommel" cluster --engine=hadoop --signatures="$hdfs/out/signatures" \
  --out="$hdfs/again" --reducers=1
"$HADOOP_HOME/bin/hadoop" fs -get "$hdfs/again" "$work/again"
rows "$work/again" | cmp - "$work/local.rows" || fail "other rows from signatures"
echo "ok"

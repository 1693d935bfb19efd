#!/usr/bin/env bash
# sample_hadoop_test.sh TROMMEL: `trommel sample` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the rows and the annotation
# pages that it writes locally.
set -euo pipefail
trommel=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
hdfs=$TROMMEL_TEST_HDFS/sample-test-$$
cleanup() {
  rm -rf "$work"
  "$HADOOP_HOME/bin/hadoop" fs -rm -r -f -skipTrash "$hdfs" >/dev/null 2>&1 || true
}
trap cleanup EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
rows() { /usr/bin/python3 "$root/tests/testing/table_rows.py" "$1"/{clusters,samples}; }

cat >"$work/spec.textproto" <<END
seed: 12
start_date: "2026-01-01"
days: 2
site { host: "www.one.example" vertical: "movie" pages: 300 }
site { host: "www.two.example" vertical: "book" pages: 200 }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
# A file is a split at least, so two days are two map tasks.
crawls() { echo "--crawl=$1/day=2026-01-01/crawl" "--crawl=$1/day=2026-01-02/crawl"; }
"$trommel" cluster $(crawls "$work/web") --out="$work/clusters" >/dev/null
"$trommel" sample $(crawls "$work/web") --clusters="$work/clusters" \
  --schema="$root/schemas/movie.textproto" --out="$work/local"
rows "$work/local" >"$work/local.rows"
[ "$(wc -l <"$work/local.rows")" -gt 60 ] || fail "too few rows"

"$HADOOP_HOME/bin/hadoop" fs -mkdir -p "$hdfs"
"$HADOOP_HOME/bin/hadoop" fs -put "$work/web" "$hdfs/web"
"$HADOOP_HOME/bin/hadoop" fs -put "$work/clusters" "$hdfs/clusters"
"$trommel" sample --engine=hadoop $(crawls "$hdfs/web") \
  --clusters="$hdfs/clusters" --schema="$root/schemas/movie.textproto" \
  --out="$hdfs/out" --split-mb=16 --reducers=2
"$HADOOP_HOME/bin/hadoop" fs -get "$hdfs/out" "$work/hadoop"
rows "$work/hadoop" | cmp - "$work/local.rows" || fail "other rows on the cluster"
for page in annotate.html annotate/www.one.example.html annotate/www.two.example.html; do
  cmp "$work/local/$page" "$work/hadoop/$page" || fail "another $page on the cluster"
done
echo "ok"

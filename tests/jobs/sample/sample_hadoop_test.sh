#!/usr/bin/env bash
# sample_hadoop_test.sh TROMMEL: `trommel sample` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the rows and the annotation
# pages that it writes locally.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"
rows() { table_rows "$1"/{clusters,samples}; }

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

hadoop_fs -put "$work/web" "$hdfs/web"
hadoop_fs -put "$work/clusters" "$hdfs/clusters"
"$trommel" sample --engine=hadoop $(crawls "$hdfs/web") \
  --clusters="$hdfs/clusters" --schema="$root/schemas/movie.textproto" \
  --out="$hdfs/out" --split-mb=16 --reducers=2
hadoop_fs -get "$hdfs/out" "$work/hadoop"
rows "$work/hadoop" | cmp - "$work/local.rows" || fail "other rows on the cluster"
same_files annotate.html annotate/www.one.example.html annotate/www.two.example.html
echo "ok"

#!/usr/bin/env bash
# coverage_hadoop_test.sh TROMMEL: `trommel coverage` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the rows that it writes
# locally.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"
rows() { table_rows "$1"/{coverage,cluster_days,examples,sites}; }

cat >"$work/spec.textproto" <<END
seed: 12
start_date: "2026-01-01"
days: 3
site { host: "www.one.example" vertical: "movie" pages: 200 }
site { host: "www.two.example" vertical: "book" pages: 150
  change { kind: REDESIGN day: 1 } }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
"$trommel" cluster --crawl="$work/web/day=2026-01-01/crawl" --out="$work/clusters" >/dev/null
# One crawl with the folders of three days in it: three map tasks at least.
"$trommel" coverage --crawl="$work/web" --clusters="$work/clusters" \
  --out="$work/local" --json >"$work/local.json"
rows "$work/local" >"$work/local.rows"
grep -q "'change': True" "$work/local.rows" || fail "nothing changes"

hadoop_fs -put "$work/web" "$hdfs/web"
hadoop_fs -put "$work/clusters" "$hdfs/clusters"
"$trommel" coverage --engine=hadoop --crawl="$hdfs/web" \
  --clusters="$hdfs/clusters" --out="$hdfs/out" --split-mb=16 --reducers=2 \
  --json >"$work/hadoop.json"
hadoop_fs -get "$hdfs/out" "$work/hadoop"
rows "$work/hadoop" | cmp - "$work/local.rows" || fail "other rows on the cluster"
[ -s "$work/hadoop/_SUCCESS" ] || fail "no manifest"
# The reports differ in the paths that their commands name.
sed "s|$hdfs|$work|g" "$work/hadoop/report.html" | grep -c '<svg' |
  cmp - <(grep -c '<svg' "$work/local/report.html") || fail "another report on the cluster"
/usr/bin/python3 - "$work/local.json" "$work/hadoop.json" <<'END' || fail "another summary"
import json, sys
local, hadoop = (json.load(open(name)) for name in sys.argv[1:])
del local["out"], hadoop["out"]
sys.exit(local != hadoop)
END
echo "ok"

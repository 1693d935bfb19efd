#!/usr/bin/env bash
# reuse_hadoop_test.sh TROMMEL: `trommel reuse` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the rules and decisions
# that it writes locally, reused and repaired ones.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"

cat >"$work/spec.textproto" <<END
seed: 7
start_date: "2026-01-01"
days: 2
site { host: "www.one.example" vertical: "camera" pages: 120 daily_turnover: 0.1 }
site {
  host: "www.two.example" vertical: "camera" pages: 120
  change { kind: REDESIGN day: 1 }
}
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
schema=$work/web/schemas/camera.textproto
for day in 1 2; do
  "$trommel" cluster --crawl="$work/web/day=2026-01-0$day/crawl" \
    --out="$work/clusters$day" >/dev/null
done
"$trommel" sample --crawl="$work/web/day=2026-01-01/crawl" \
  --clusters="$work/clusters1" --annotate-pages=false --out="$work/samples" >/dev/null
: >"$work/annotations.jsonl"
for _ in 1 2 3 4 5; do
  "$trommel" learn --samples="$work/samples" --annotations="$work/annotations.jsonl" \
    --schema="$schema" --force --out="$work/rules" >/dev/null
  grep -q needs_annotation "$work/rules/status.jsonl" || break
  /usr/bin/python3 "$root/deploy/annotate_from_truth.py" \
    "$work/web/day=2026-01-01/truth.jsonl" "$schema" "$work/rules/status.jsonl" \
    >>"$work/annotations.jsonl"
done

# reuse BASE FLAG...: with inputs below BASE.
reuse() {
  local base=$1
  shift
  "$trommel" reuse --rules="$base/rules" --old-clusters="$base/clusters1" \
    --old-crawl="$base/web/day=2026-01-01/crawl" --new-clusters="$base/clusters2" \
    --new-crawl="$base/web/day=2026-01-02/crawl" "$@"
}
reuse "$work" --out="$work/local"
rows() { table_rows "$1/decisions"; }
rows "$work/local" >"$work/local.rows"
grep -q "'decision': 'reused'" "$work/local.rows" || fail "nothing is reused"
grep -q "'how': 'field_test'" "$work/local.rows" || fail "nothing is repaired"

for folder in rules clusters1 clusters2 web; do
  hadoop_fs -put "$work/$folder" "$hdfs/$folder"
done
reuse "$hdfs" --engine=hadoop --out="$hdfs/out" --split-mb=1 --reducers=2
hadoop_fs -get "$hdfs/out" "$work/hadoop"
same_files rules.binpb rules.textproto status.jsonl to_annotate.jsonl
rows "$work/hadoop" | cmp - "$work/local.rows" || fail "other decisions on the cluster"
[ -z "$(ls -d "$work"/hadoop/_[a-z]* 2>/dev/null)" ] || fail "tables of the steps are left over"
echo "ok"

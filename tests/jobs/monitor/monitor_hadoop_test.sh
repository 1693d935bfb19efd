#!/usr/bin/env bash
# monitor_hadoop_test.sh TROMMEL: `trommel monitor` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the rows that it writes
# locally, and the same report.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"
rows() { table_rows "$1"/{sites,rules,bellwethers,drift}; }

cat >"$work/spec.textproto" <<END
seed: 5
days: 2
site { host: "same.example" vertical: "movie" pages: 160 }
site { host: "redesign.example" vertical: "movie" pages: 160
  change { kind: REDESIGN day: 1 } }
site { host: "label.example" vertical: "movie" pages: 160
  change { kind: LABEL_CHANGED day: 1 } }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
first=$work/web/day=2026-01-01
second=$work/web/day=2026-01-02
"$trommel" cluster --crawl="$first/crawl" --out="$work/clusters" >/dev/null
"$trommel" sample --crawl="$first/crawl" --clusters="$work/clusters" \
  --annotate-pages=false --out="$work/samples" >/dev/null
schema=$root/schemas/movie.textproto
: >"$work/annotations.jsonl"
for _ in 1 2 3 4; do
  "$trommel" learn --samples="$work/samples" --schema="$schema" \
    --annotations="$work/annotations.jsonl" --out="$work/rules" --force >/dev/null
  /usr/bin/python3 "$root/deploy/annotate_from_truth.py" "$first/truth.jsonl" \
    "$schema" "$work/rules/status.jsonl" >>"$work/annotations.jsonl"
done
"$trommel" extract --crawl="$first/crawl" --rules="$work/rules" \
  --out="$work/before" >/dev/null
"$trommel" extract --crawl="$second/crawl" --rules="$work/rules" \
  --out="$work/after" >/dev/null
"$trommel" monitor --crawl="$second/crawl" --rules="$work/rules" \
  --records-before="$work/before" --records-after="$work/after" \
  --out="$work/local"
rows "$work/local" >"$work/local.rows"
grep -q redesign.example "$work/local/flagged_sites.txt" ||
  fail "the redesigned site is not flagged"
grep -q same.example "$work/local/flagged_sites.txt" &&
  fail "the unchanged site is flagged"

hadoop_fs -put "$second/crawl" "$work/rules" "$work/before" "$work/after" "$hdfs/"
code=0
"$trommel" monitor --engine=hadoop --crawl="$hdfs/crawl" \
  --rules="$hdfs/rules" --records-before="$hdfs/before" \
  --records-after="$hdfs/after" --out="$hdfs/out" --split-mb=4 --reducers=2 \
  --fail-on-break || code=$?
[ "$code" -eq 3 ] || fail "exit code $code"
hadoop_fs -get "$hdfs/out" "$work/hadoop"
rows "$work/hadoop" | cmp - "$work/local.rows" || fail "other rows on the cluster"
same_files flagged_sites.txt
[ -s "$work/hadoop/report.html" ] || fail "no report"
echo "ok"

#!/usr/bin/env bash
# compare_hadoop_test.sh TROMMEL: `trommel compare` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the rows that it writes
# locally.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"
rows() { table_rows "$1"; }

cat >"$work/spec.textproto" <<END
seed: 5
days: 3
site { host: "same.example" vertical: "movie" pages: 160 }
site { host: "label.example" vertical: "movie" pages: 160
  change { kind: LABEL_CHANGED day: 2 } }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
first=$work/web/day=2026-01-01
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
for day in 1 2 3; do
  "$trommel" extract --crawl="$work/web/day=2026-01-0$day/crawl" \
    --rules="$work/rules" --out="$work/night$day" >/dev/null
done
"$trommel" compare --date=2026-01-01 --extracted="$work/night1" --out="$work/one"
"$trommel" compare --date=2026-01-02 --extracted="$work/night2" \
  --before="$work/one" --out="$work/two"
printf 'same.example\ta wall\n' >"$work/blocked"
"$trommel" compare --date=2026-01-03 --extracted="$work/night3" \
  --before="$work/one" --before="$work/two" --blocked="$work/blocked" \
  --out="$work/local"
rows "$work/local" | sed 's/^local //' >"$work/local.rows"

hadoop_fs -put "$work/night3" "$work/one" "$work/two" "$work/blocked" "$hdfs/"
"$trommel" compare --engine=hadoop --date=2026-01-03 \
  --extracted="$hdfs/night3" --before="$hdfs/one" --before="$hdfs/two" \
  --blocked="$hdfs/blocked" --out="$hdfs/out" --split-mb=4 --reducers=2
hadoop_fs -get "$hdfs/out" "$work/hadoop"
rows "$work/hadoop" | sed 's/^hadoop //' | cmp - "$work/local.rows" ||
  fail "other rows on the cluster"
echo "ok"

#!/usr/bin/env bash
# stats_lost_cluster_test.sh TROMMEL PSEUDO_CLUSTER DIR: the ResourceManager
# dies under a running job. The driver must say so soon; when the cluster is
# back, the same command must finish the work.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"
cluster=$2
dir=$3
trap '"$cluster" up --dir="$dir" >/dev/null 2>&1 || true; remove_folders' EXIT

cat >"$work/spec.textproto" <<END
seed: 12
start_date: "2026-01-01"
days: 1
site { host: "www.one.example" vertical: "movie" pages: 200 }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
hadoop_fs -put "$work/web/day=2026-01-01/crawl" "$hdfs/crawl"
stats=("$trommel" stats --crawl="$hdfs/crawl" --engine=hadoop --out="$hdfs/out")
"${stats[@]}" --hadoop-timeout=20 >"$work/out" 2>"$work/err" &
driver=$!
for _ in $(seq 600); do
  grep -q "job_" "$work/err" && break
  kill -0 $driver 2>/dev/null || fail "the driver ended: $(cat "$work/err")"
  sleep 0.1
done
manager=$(pgrep -f "Dtrommel.cluster.dir=$dir .*ResourceManager" || true)
[ -n "$manager" ] || manager=$(pgrep -f "trommel.cluster.dir=$dir.*resourcemanager" || true)
[ -n "$manager" ] || fail "no ResourceManager of $dir found"
kill -9 $manager
SECONDS=0
if wait $driver; then fail "the driver did not notice"; fi
echo "the driver gave up after $SECONDS s: $(tail -n 3 "$work/err")"
[ $SECONDS -lt 180 ] || fail "the driver took $SECONDS s"
grep -q "The same command attaches" "$work/err" || fail "$(cat "$work/err")"
"$cluster" up --dir="$dir" >/dev/null
"${stats[@]}" --json >"$work/json" 2>"$work/err" || fail "$(cat "$work/err")"
grep -q "attached to job_" "$work/err" || fail "not attached: $(cat "$work/err")"
grep -q '"pages":200' "$work/json" || fail "$(cat "$work/json")"
echo "ok"

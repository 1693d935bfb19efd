#!/usr/bin/env bash
# stats_hadoop_test.sh TROMMEL: `trommel stats` on the cluster of the
# environment (tests/testing/with_cluster.sh).
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"
# expect TEXT COMMAND...: the command fails and says TEXT on standard error.
expect() {
  local text=$1
  shift
  if "$@" >"$work/out" 2>"$work/err"; then fail "$* succeeded"; fi
  grep -qF -- "$text" "$work/err" || fail "$*: expected \"$text\", got: $(cat "$work/err")"
  if grep -q '^	at ' "$work/err"; then fail "$*: Java stack trace"; fi
}

cat >"$work/spec.textproto" <<END
seed: 11
start_date: "2026-01-01"
days: 1
site { host: "www.one.example" vertical: "movie" pages: 300 }
site { host: "www.two.example" vertical: "book" pages: 200 }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
crawl=$work/web/day=2026-01-01/crawl
hadoop_fs -put "$crawl" "$hdfs/crawl"
stats=("$trommel" stats --crawl="$hdfs/crawl" --engine=hadoop --out="$hdfs/out")
strip() { python3 -c '
import json, sys
report = json.load(sys.stdin)
report.pop("out", None)
print(json.dumps(report, sort_keys=True))'; }
"$trommel" stats --crawl="$crawl" --json | strip >"$work/local.json"
# The local engine reads HDFS too.
"$trommel" stats --crawl="$hdfs/crawl" --json | strip | cmp - "$work/local.json" ||
  fail "the local engine sees other rows on HDFS"

# A driver that is killed leaves its job running; the next one attaches.
"${stats[@]}" >"$work/first.out" 2>"$work/first.err" &
driver=$!
for _ in $(seq 600); do
  grep -q "job_" "$work/first.err" && break
  kill -0 $driver 2>/dev/null || fail "the first driver ended: $(cat "$work/first.err")"
  sleep 0.1
done
kill -9 $driver
wait $driver 2>/dev/null || true
"${stats[@]}" --json 2>"$work/second.err" | strip >"$work/hadoop.json"
grep -q "attached to job_" "$work/second.err" || fail "not attached: $(cat "$work/second.err")"
cmp "$work/local.json" "$work/hadoop.json" || fail "other rows on the cluster"
hadoop_fs -test -s "$hdfs/out/_SUCCESS" || fail "no _SUCCESS"
if hadoop_fs -ls -R "$hdfs" 2>/dev/null | grep -E 'resumable|_scratch'; then
  fail "the driver left something behind"
fi

# Errors say what to do.
expect "--force replaces it" "${stats[@]}"
expect "set HADOOP_HOME" env -u HADOOP_HOME -u HADOOP_CONF_DIR PATH=/usr/bin:/bin \
  "$trommel" stats --crawl="$hdfs/crawl" --engine=hadoop --out="$hdfs/out2"
expect "is a path on this machine" \
  "$trommel" stats --crawl="$crawl" --engine=hadoop --out="$hdfs/out2"
expect "unknown queue: nosuch" "$trommel" stats --crawl="$hdfs/crawl" \
  --engine=hadoop --out="$hdfs/out2" --hadoop-queue=nosuch
expect "lower --task-memory-mb" "$trommel" stats --crawl="$hdfs/crawl" \
  --engine=hadoop --out="$hdfs/out2" --task-memory-mb=500000
expect "cannot reach HDFS" "$trommel" stats --crawl=hdfs://127.0.0.1:1/crawl \
  --engine=hadoop --out="$hdfs/out2"
cp -r "$HADOOP_CONF_DIR" "$work/conf"
sed -i -E 's#(<name>yarn.resourcemanager.address</name><value>127.0.0.1:)[0-9]+#\11#' \
  "$work/conf/yarn-site.xml"
expect "is its ResourceManager running?" "$trommel" stats --crawl="$hdfs/crawl" \
  --engine=hadoop --out="$hdfs/out3" --hadoop-conf="$work/conf" --hadoop-timeout=15
echo "ok"

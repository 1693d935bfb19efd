#!/usr/bin/env bash
# The examples of deploy/nightly and deploy/hadoop work, once their paths are those
# of this machine: `nightly_examples_test.sh TROMMEL`.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
PATH=$(dirname "$(realpath "$1")"):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

expect() {
  local wanted=$1 code=0
  shift
  "$@" >"$work/out" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || {
    echo "exit code $code, not $wanted: $*" >&2
    cat "$work/out" >&2
    exit 1
  }
}

cd "$work"
cat >web.textproto <<'END'
seed: 4
days: 2
site {
  host: "films.example" vertical: "movie" pages: 40
  change { kind: REDESIGN day: 1 }
}
site { host: "cinema.example" vertical: "movie" pages: 30 }
site { host: "books.example" vertical: "book" pages: 30 }
END
trommel generate --spec=web.textproto --out=web >/dev/null
mkdir crawls
for day in 2026-01-01 2026-01-02; do
  cp -r web/day=$day/crawl crawls/day=$day
done

# The pipeline, here and without a cluster.
cp -r "$root/schemas" .
sed -e "s#hdfs://namenode:8020/##" -e '/^engine {/,/^}/d' \
  -e "s#^on_alert:.*#on_alert: \"cat >>alerts.jsonl\"#" \
  "$root/deploy/nightly/pipeline.textproto" >pipeline.textproto
expect 0 "$root/deploy/nightly/backfill" pipeline.textproto 2026-01-01 2026-01-02
grep -q '^cluster 2026-01-02 .*would run' out
grep -q '^warning  *annotate pages of books.example for book' out
grep -q '"kind":"needs_annotation"' alerts.jsonl

# A day that is half written stops no other; a date that is none stops all.
mkdir crawls/day=2026-01-03
expect 1 "$root/deploy/nightly/backfill" pipeline.textproto 2026-01-02 2026-01-03
grep -q '^crawl 2026-01-03 .*failed' out
grep -q '^2026-01-02 to 2026-01-03: ' out
rmdir crawls/day=2026-01-03
expect 2 "$root/deploy/nightly/backfill" pipeline.textproto 2026-01-02 2026-01-32

# The report of coverage, over both days.
expect 3 "$root/deploy/nightly/coverage-report" trommel/work/day=2026-01-01/clusters \
  covered crawls/day=*
grep -q 'films.example' covered/report.html

# What other programs read.
for file in cron service; do
  for name in HADOOP_HOME HADOOP_CONF_DIR JAVA_HOME; do
    grep -Eq "^(Environment=)?$name=/" "$root/deploy/nightly/trommel.$file"
  done
done
xmllint --noout "$root/deploy/hadoop/mapred-site.xml"
line=$(grep '^[0-9*]' "$root/deploy/nightly/trommel.cron")
bash -n -c "$(cut -d ' ' -f 7- <<<"$line" | sed 's/\\%/%/g')"
if command -v systemd-analyze >/dev/null; then
  sed -e '/^ExecStart=/s#/opt/trommel/bin/trommel#true#' \
    "$root/deploy/nightly/trommel.service" >trommel.service
  cp "$root/deploy/nightly/trommel.timer" .
  SYSTEMD_UNIT_PATH=$work: expect 0 systemd-analyze verify --man=no ./trommel.timer
fi

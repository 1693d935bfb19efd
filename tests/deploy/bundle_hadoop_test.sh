#!/usr/bin/env bash
# bundle_hadoop_test.sh BUILD: trommel from the archive of deploy/bundle runs a job
# on the cluster of the environment (tests/testing/with_cluster.sh), with a
# Hadoop that has no libhdfs.so of its own, and sends to the nodes what is in
# the archive, nothing else.
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
place=$TROMMEL_TEST_HDFS/bundle-test-$$
hadoop=$HADOOP_HOME/bin/hadoop
cleanup() {
  rm -rf "$work"
  "$hadoop" fs -rm -r -f -skipTrash "$place" >/dev/null 2>&1 || true
}
trap cleanup EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

"$root/deploy/bundle" --build="$build" "$work/trommel.tar.gz"
tar --extract --file "$work/trommel.tar.gz" --directory "$work"
tree=$(echo "$work"/trommel-*/)
mkdir "$work/hadoop"
cp -r "$HADOOP_HOME/bin" "$work/hadoop/"
ln -s "$HADOOP_HOME/share" "$work/hadoop/share"
trommel() {
  env -i PATH=/usr/bin:/bin USER="$(id -un)" JAVA_HOME="${JAVA_HOME-}" \
    HADOOP_HOME="$work/hadoop" HADOOP_CONF_DIR="$HADOOP_CONF_DIR" \
    "$tree/bin/trommel" "$@"
}
cat >"$work/spec.textproto" <<END
seed: 6
start_date: "2026-01-01"
days: 1
site { host: "films.example" vertical: "movie" pages: 40 }
END
trommel generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
crawl=$work/web/day=2026-01-01/crawl
"$hadoop" fs -mkdir -p "$place"
"$hadoop" fs -put "$crawl" "$place/crawl"
"$hadoop" fs -ls "/user/$(id -un)/.trommel" >"$work/before" 2>/dev/null || true
figures() { python3 -c '
import json, sys
report = json.load(sys.stdin)
report.pop("out", None)
print(json.dumps(report, sort_keys=True))'; }
trommel stats --crawl="$crawl" --json | figures >"$work/local"
trommel stats --crawl="$place/crawl" --engine=hadoop --out="$place/out" --json |
  figures >"$work/cluster"
cmp "$work/local" "$work/cluster" || fail "other figures on the cluster"

# What the nodes got.
"$hadoop" fs -ls "/user/$(id -un)/.trommel" >"$work/after"
sent=$(comm -13 <(sort "$work/before") <(sort "$work/after") |
  sed -n 's#.* \(/user/.*/bundle-.*\)#\1#p')
[ -n "$sent" ] || fail "nothing was sent: $(cat "$work/after")"
"$hadoop" fs -get "$sent" "$work/sent.tar.gz"
mkdir "$work/sent"
tar --extract --file "$work/sent.tar.gz" --directory "$work/sent"
if ! diff -r "$tree/bin" "$work/sent/bin" || ! diff -r "$tree/lib" "$work/sent/lib"; then
  fail "the nodes got something else than bin/ and lib/ of the archive"
fi
echo "ok"

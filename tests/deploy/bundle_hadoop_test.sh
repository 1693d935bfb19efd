#!/usr/bin/env bash
# bundle_hadoop_test.sh TROMMEL: started from the archive that deploy/bundle makes
# of this build, with a Hadoop that has no libhdfs.so of its own, the program runs
# a job on the cluster of the environment (tests/testing/with_cluster.sh), and
# sends to the nodes what is in the archive, nothing else.
set -euo pipefail
source "$(dirname "$0")/../testing/on_cluster.sh"

"$root/deploy/bundle" --build="$(dirname "$trommel")" "$work/trommel.tar.gz"
tar --extract --file "$work/trommel.tar.gz" --directory "$work"
tree=$(echo "$work"/trommel-*/)
mkdir "$work/bare-hadoop"
cp -r "$HADOOP_HOME/bin" "$work/bare-hadoop/"
ln -s "$HADOOP_HOME/share" "$work/bare-hadoop/share"
from_archive() {
  env -i PATH=/usr/bin:/bin JAVA_HOME="${JAVA_HOME-}" \
    HADOOP_HOME="$work/bare-hadoop" HADOOP_CONF_DIR="$HADOOP_CONF_DIR" \
    "$tree/bin/trommel" "$@"
}
cat >"$work/spec.textproto" <<END
seed: 6
start_date: "2026-01-01"
days: 1
site { host: "films.example" vertical: "movie" pages: 40 }
END
from_archive generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
crawl=$work/web/day=2026-01-01/crawl
hadoop_fs -put "$crawl" "$hdfs/crawl"
sent_before=$(hadoop_fs -ls -C "/user/*/.trommel" 2>/dev/null | sort || true)
from_archive stats --crawl="$crawl" --out="$work/local/stats" >/dev/null
from_archive stats --crawl="$hdfs/crawl" --engine=hadoop --out="$hdfs/stats"
hadoop_fs -get "$hdfs/stats" "$work/stats"
table_rows "$work/local/stats" >"$work/local.rows"
table_rows "$work/stats" | cmp - "$work/local.rows" || fail "other rows on the cluster"

# What the nodes got.
sent=$(comm -13 <(echo "$sent_before") <(hadoop_fs -ls -C "/user/*/.trommel" | sort))
[ -n "$sent" ] || fail "no archive was sent"
hadoop_fs -get "$sent" "$work/sent.tar.gz"
mkdir "$work/sent"
tar --extract --file "$work/sent.tar.gz" --directory "$work/sent"
for folder in bin lib; do
  diff -r "$tree/$folder" "$work/sent/$folder" || fail "the nodes got another $folder/"
done
echo "ok"

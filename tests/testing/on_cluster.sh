# on_cluster.sh: what every test on a cluster begins with. A script that runs in
# the environment of with_cluster.sh, with the program as its first argument,
# sources this file and has
#   trommel  the program
#   root     the source tree
#   work     a folder on this machine, removed at the end
#   hdfs     a folder on the cluster, removed at the end
trommel=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
hdfs=$TROMMEL_TEST_HDFS/$(basename "$0" .sh)-$$
remove_folders() {
  rm -rf "$work"
  hadoop_fs -rm -r -f -skipTrash "$hdfs" >/dev/null 2>&1 || true
}
trap remove_folders EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
# hadoop_fs ARGUMENT...: a command of the cluster's file system.
hadoop_fs() { "$HADOOP_HOME/bin/hadoop" fs "$@"; }
# table_rows TABLE...: the rows of tables on this machine, sorted.
table_rows() { /usr/bin/python3 "$root/tests/testing/table_rows.py" "$@"; }
# same_files NAME...: the files are equal in the outputs work/local and
# work/hadoop.
same_files() {
  local name
  for name; do
    cmp "$work/local/$name" "$work/hadoop/$name" || fail "another $name on the cluster"
  done
}

hadoop_fs -mkdir -p "$hdfs"

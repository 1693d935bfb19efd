#!/usr/bin/env bash
# with_cluster.sh DIR COMMAND...: runs a command with the environment of the
# pseudo-cluster in DIR, and the root of its file system in TROMMEL_TEST_HDFS.
set -euo pipefail
source "$1/env"
TROMMEL_TEST_HDFS=$(sed -n 's/^# file system: *//p' "$1/env")
export TROMMEL_TEST_HDFS
shift
exec "$@"

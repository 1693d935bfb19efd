#!/usr/bin/env bash
# Clusters a table of signatures with one site of 20,000,000 pages and 10,000
# sites of 50 pages; no process, mapper or reducer, takes 1 GB:
# `cluster_memory_test.sh TROMMEL WRITE_SIGNATURES [PAGES]`.
set -euo pipefail
trommel=$1
write_signatures=$2
pages=${3:-20000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/signatures"
"$write_signatures" "$work/signatures" "$pages" 10000 50
du -sh "$work/signatures"
# The largest of all processes, since each waits for those that it starts.
/usr/bin/python3 - "$pages" "$trommel" cluster --signatures="$work/signatures" \
  --out="$work/clusters" --json <<'PY'
import json, resource, subprocess, sys, time
pages, command = int(sys.argv[1]), sys.argv[2:]
begin = time.time()
out = subprocess.run(command, check=True, capture_output=True).stdout
report = json.loads(out)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
report.pop("counters")
print(report)
print(f"largest process: {peak / 1000:.0f} MB; {time.time() - begin:.0f} s")
assert report["pages"] == pages + 500000, report["pages"]
assert report["sites"] == 10001
assert report["sampled"] == min(pages // 5, 20000) + 500000
assert report["coverage"] > 0.98
assert peak < 1000000, "over 1 GB"
PY

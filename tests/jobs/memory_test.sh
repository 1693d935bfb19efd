#!/usr/bin/env bash
# Peak memory of generating, of ingesting and of reading 2 GB of pages stays
# under 500 MB, that of each process of a job over them under 300 MB:
# `memory_test.sh BUILD_DIRECTORY`.
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
limit_kb=500000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# peak LABEL COMMAND...: runs it and checks its greatest resident size.
peak() {
  local label=$1
  shift
  /usr/bin/python3 - "$label" "$limit_kb" "$@" <<'PY'
import resource, subprocess, sys
label, limit, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
subprocess.run(command, check=True, stdout=sys.stderr)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"{label}: peak {peak / 1000:.0f} MB")
sys.exit(peak > limit)
PY
}

cat >"$work/spec.textproto" <<'SPEC'
seed: 1
site { host: "shop{n}.example" count: 20 vertical: "camera" pages: 2500 }
SPEC
peak generate "$build/trommel" generate --spec="$work/spec.textproto" \
  --out="$work/web"
crawl=$(ls -d "$work"/web/day=*/crawl)
bytes=$(/usr/bin/python3 -c "import json,sys; print(json.load(open(sys.argv[1]))['counts']['content_bytes'])" "$work/web/_SUCCESS")
echo "content: $((bytes / 1000000)) MB"
[ "$bytes" -ge 2000000000 ] || { echo "the crawl is smaller than 2 GB" >&2; exit 1; }
limit_kb=300000 peak "stats, largest process" "$build/trommel" stats \
  --crawl="$crawl" --workers=2
peak "read crawl" "$build/tests/mapreduce/io/read_crawl" "$crawl"
/usr/bin/python3 "$root/deploy/crawl_to_jsonl.py" "$crawl" -1 "$work/pages.jsonl"
peak "ingest jsonl" "$build/trommel" ingest --from=jsonl --out="$work/jsonl" \
  "$work/pages.jsonl"
rm "$work/pages.jsonl"
/usr/bin/python3 "$root/deploy/crawl_to_warc.py" "$crawl" "$work/pages.warc.gz"
peak "ingest warc" "$build/trommel" ingest --from=warc --out="$work/warc" \
  "$work/pages.warc.gz"
# One row group of everything, as other writers make them.
/usr/bin/python3 "$root/tests/testing/one_row_group.py" "$crawl" "$work/one.parquet"
peak "read one row group" "$build/tests/mapreduce/io/read_crawl" "$work/one.parquet"

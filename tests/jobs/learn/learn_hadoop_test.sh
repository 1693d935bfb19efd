#!/usr/bin/env bash
# learn_hadoop_test.sh TROMMEL: `trommel learn` on the cluster of the
# environment (tests/testing/with_cluster.sh) writes the bytes that it writes
# locally.
set -euo pipefail
source "$(dirname "$0")/../../testing/on_cluster.sh"

cat >"$work/spec.textproto" <<END
seed: 12
start_date: "2026-01-01"
site { host: "www.one.example" vertical: "movie" pages: 200 }
site { host: "www.two.example" vertical: "movie" pages: 120 }
END
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" >/dev/null
day=$work/web/day=2026-01-01
"$trommel" cluster --crawl="$day/crawl" --out="$work/clusters" >/dev/null
"$trommel" sample --crawl="$day/crawl" --clusters="$work/clusters" --pages=8 \
  --annotate-pages=false --out="$work/samples" >/dev/null

# The truth of the first pages of each cluster, as an editor would give it.
/usr/bin/python3 - "$root" "$work" "$day" >"$work/annotations.jsonl" <<'END'
import json
import pathlib
import sys

root, work, day = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(root / "tests/testing"))
from table_rows import rows

first = {row["url"] for row in rows(work / "samples/samples", ["url", "rank"])
         if row["rank"] < 4}
truth = map(json.loads, (day / "truth.jsonl").open(encoding="utf-8"))
details = [page for page in truth if page.get("template") == "detail"]
attributes = sorted({name for page in details for name in page["values"]})
for page in details:
    if page["url"] not in first:
        continue
    for attribute in attributes:
        about = {"url": page["url"], "attribute": attribute}
        if attribute not in page["values"]:
            print(json.dumps({**about, "absent": True}))
        for value in page["values"].get(attribute, ()):
            print(json.dumps({**about, "value": value}))
END
[ "$(wc -l <"$work/annotations.jsonl")" -gt 10 ] || fail "too few annotations"

learn() {
  "$trommel" learn --schema="$root/schemas/movie.textproto" \
    --annotations="$work/annotations.jsonl" "$@"
}
learn --samples="$work/samples" --out="$work/local"
grep -q '"status":"done"' "$work/local/status.jsonl" || fail "no cluster is done"

hadoop_fs -put "$work/samples" "$hdfs/samples"
learn --engine=hadoop --samples="$hdfs/samples" --out="$hdfs/out" \
  --split-mb=1 --reducers=2
hadoop_fs -get "$hdfs/out" "$work/hadoop"
same_files rules.binpb rules.textproto status.jsonl
[ ! -e "$work/hadoop/_outcomes" ] || fail "the table of outcomes is left over"
echo "ok"

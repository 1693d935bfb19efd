#!/usr/bin/env bash
# One site with 400,000 small pages a day, which changes on the second of three
# days: no process of `trommel coverage` takes 300 MB, for it keeps the pages of
# the sample and no others: `coverage_memory_test.sh TROMMEL [PAGES]`.
set -euo pipefail
trommel=$1
pages=${2:-400000}
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
/usr/bin/python3 - "$root/deploy" "$work" "$pages" <<'PY'
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import crawl_to_jsonl
parquet = crawl_to_jsonl.load_pyarrow()
import pyarrow
work, pages = pathlib.Path(sys.argv[2]), int(sys.argv[3])
DESIGNS = ["<h1></h1><table><tr><td><b></b></td></tr></table><form><input></form>",
           "<h2></h2><ol><li></li></ol><dl><dt></dt><dd></dd></dl><pre></pre>",
           "<main><figure><hr></figure></main><aside><small></small></aside>"]
def html(design, i):
    extra = "".join(f"<p><{tag}></{tag}></p>" for k, tag in
                    enumerate(("u", "i", "s", "q")) if i >> k & 1)
    return ("<html><body>" + 3 * DESIGNS[design] + extra + "</body></html>").encode()
for day in range(3):
    folder = work / f"web/day=2026-01-0{day + 1}/crawl"
    folder.mkdir(parents=True)
    for shard in range(8):
        shard_pages = range(shard, pages, 8)
        parquet.write_table(pyarrow.table({
            "url": [f"http://large.example/some/longer/path/{i}" for i in shard_pages],
            "content": [html(2 if day > 0 and i % 4 else i % 2, i // 7)
                        for i in shard_pages]}),
            folder / f"part-{shard}.parquet", row_group_size=10000)
PY
"$trommel" cluster --crawl="$work/web/day=2026-01-01/crawl" --out="$work/clusters" >/dev/null
# The largest of all processes, since each waits for those that it starts.
/usr/bin/python3 - "$pages" "$trommel" coverage --crawl="$work/web" \
  --clusters="$work/clusters" --out="$work/coverage" --json <<'PY'
import json, resource, subprocess, sys, time
pages, command = int(sys.argv[1]), sys.argv[2:]
begin = time.time()
report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"largest process: {peak / 1000:.0f} MB; {time.time() - begin:.0f} s")
assert report["pages"] == 3 * pages, report["pages"]
assert report["changes"][0]["total"] == 1, report["changes"]
assert [row["day"] for row in report["broken"] if row["change"]] == ["2026-01-02"]
assert 0.2 < report["broken"][0]["coverage"] < 0.3, report["broken"]
assert peak < 300000, "over 300 MB"
PY

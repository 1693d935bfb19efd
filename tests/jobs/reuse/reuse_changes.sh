#!/usr/bin/env bash
# reuse_changes.sh TROMMEL [SEED]: `trommel reuse` after planned changes of a
# generated web. Sites of two verticals change in each of the six ways, in all
# templates or in the detail pages alone, with and without pages being
# replaced; others do not change. Rules are learnt on the first day from
# annotations by the truth, reused on the second, and the records extracted
# with them compared with the second day's truth:
#
#   - no value is wrong that was not wrong on the first day already
#   - unchanged sites keep all their rules as they are
#   - at least nine in ten changed sites go on without a new annotation
set -euo pipefail
trommel=$1
seed=${2:-7}
root=$(cd "$(dirname "$0")/../../.." && pwd)
work=${REUSE_WORK:-$(mktemp -d)}
[ -n "${REUSE_WORK:-}" ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
fail() { echo "FAILED: $*" >&2; exit 1; }

/usr/bin/python3 "$root/tests/jobs/reuse/change_web.py" spec "$seed" >"$work/spec.textproto"
"$trommel" generate --spec="$work/spec.textproto" --out="$work/web" --force >/dev/null
day1=$work/web/day=2026-01-01
day2=$work/web/day=2026-01-02
for day in 1 2; do
  "$trommel" cluster --crawl="$work/web/day=2026-01-0$day/crawl" --force \
    --out="$work/clusters$day" >/dev/null
done
"$trommel" sample --crawl="$day1/crawl" --clusters="$work/clusters1" --force \
  --annotate-pages=false --out="$work/samples" >/dev/null

# One vertical at a time: a rule set has one schema.
for vertical in movie camera; do
  out=$work/$vertical
  mkdir -p "$out"
  grep "^$vertical" <(/usr/bin/python3 "$root/tests/jobs/reuse/change_web.py" sites) |
    cut -d' ' -f2 >"$out/sites"
  schema=$work/web/schemas/$vertical.textproto
  : >"$out/annotations.jsonl"
  for _ in 1 2 3 4 5; do
    "$trommel" learn --samples="$work/samples" --annotations="$out/annotations.jsonl" \
      --schema="$schema" --sites="$out/sites" --force --out="$out/rules" >/dev/null
    grep -q needs_annotation "$out/rules/status.jsonl" || break
    /usr/bin/python3 "$root/deploy/annotate_from_truth.py" "$day1/truth.jsonl" \
      "$schema" "$out/rules/status.jsonl" >>"$out/annotations.jsonl"
  done
  start=$SECONDS
  "$trommel" reuse --rules="$out/rules" --old-clusters="$work/clusters1" \
    --old-crawl="$day1/crawl" --new-clusters="$work/clusters2" \
    --new-crawl="$day2/crawl" --sites="$out/sites" --force --out="$out/reused"
  echo "reuse of $vertical: $((SECONDS - start)) s"
  "$trommel" extract --crawl="$day1/crawl" --rules="$out/rules" --force \
    --out="$out/old_records" >/dev/null
  "$trommel" extract --crawl="$day2/crawl" --rules="$out/reused" --force \
    --out="$out/records" >/dev/null
done
/usr/bin/python3 "$root/tests/jobs/reuse/change_web.py" check "$work" || fail "see above"
echo "ok"

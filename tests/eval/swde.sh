#!/usr/bin/env bash
# swde.sh [OPTION...]: the whole path on real sites with known truth, by
# commands only: cluster, sample, annotate (by a script that knows the truth),
# learn, extract, eval. Prints the figures by site and attribute, and means.
#
#   --trommel=FILE   the program (build/release/trommel)
#   --data=DIR       folders of sites ($TROMMEL_DATA/swde, ../shared/data/swde)
#   --site=NAME      only this site; repeats
#   --work=DIR       where to work; kept (else a temporary folder, removed)
#   --keep           keep the temporary folder
#   --jobs=N         sites at a time (2)
#   --pages=N        pages annotated of a site, at most (4)
#   --learn=FLAG     a further flag of learn, such as --learn=--learner=gcp;
#                    repeats
#   --plain          schemas with names of attributes only: no types, nothing
#                    mandatory
#   --least=F1       fail when the mean strict F1 is less
#   --least-precision=P, --most-pages=N
#                    the same of the mean precision and of annotated pages
#   --least-done=F1  fail when a site that is done is below
#
# A folder of a site is VERTICAL-NAME with crawl/ and truth.jsonl; the schema is
# schemas/VERTICAL.textproto. Exit codes: 0, 1 when a site failed or a threshold
# was missed, 77 when there are no data.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

trommel=$root/build/release/trommel
data=${TROMMEL_DATA:-$root/../shared/data}/swde
sites=()
work=
keep=
jobs=2
pages=4
learn_flags=()
plain=
thresholds=()
one=
for argument in "$@"; do
  value=${argument#*=}
  case $argument in
    --trommel=*) trommel=$value ;;
    --data=*) data=$value ;;
    --site=*) sites+=("$value") ;;
    --work=*) work=$value keep=1 ;;
    --keep) keep=1 ;;
    --jobs=*) jobs=$value ;;
    --pages=*) pages=$value ;;
    --learn=*) learn_flags+=("$value") ;;
    --plain) plain=1 ;;
    --least=* | --least-precision=* | --most-pages=* | --least-done=*)
      thresholds+=("$argument") ;;
    --one=*) one=$value ;;  # one site of a run, see below
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
  esac
done

annotate() { /usr/bin/python3 "$here/annotate.py" "$@"; }

# Everything of one site, in a folder of its own that begins empty.
run_site() {
  local site=$1 folder=$work/$1 start=$SECONDS
  local schema=$folder/schema.textproto annotations=$folder/annotations.jsonl
  rm -rf "$folder"
  mkdir -p "$folder"
  : >"$annotations"
  if [ -n "$plain" ]; then
    annotate plain "$root/schemas/${site%%-*}.textproto" \
      "$data/$site/truth.jsonl" >"$schema"
  else
    annotate schema "$root/schemas/${site%%-*}.textproto" >"$schema"
  fi
  "$trommel" cluster --crawl="$data/$site/crawl" --workers=1 \
    --out="$folder/clusters"
  "$trommel" sample --crawl="$data/$site/crawl" --clusters="$folder/clusters" \
    --schema="$schema" --annotate-pages=false --workers=1 \
    --out="$folder/samples"
  local url num_annotated=0 status=()
  while [ "$num_annotated" -lt "$pages" ]; do
    url=$(annotate next "$folder/samples" "$annotations" "${status[@]}")
    [ -n "$url" ] || break
    annotate write "$data/$site/truth.jsonl" "$schema" "$url" >>"$annotations"
    num_annotated=$((num_annotated + 1))
    "$trommel" learn --samples="$folder/samples" \
      --annotations="$annotations" --schema="$schema" --force \
      --out="$folder/rules" "${learn_flags[@]}"
    cp "$folder/rules/status.jsonl" "$folder/status.jsonl"
    status=("$folder/status.jsonl")
  done
  "$trommel" extract --crawl="$data/$site/crawl" --rules="$folder/rules" \
    --workers=1 --out="$folder/records"
  "$trommel" eval --records="$folder/records" \
    --truth="$data/$site/truth.jsonl" --exclude="$annotations" \
    --schema="$schema" --json >"$folder/eval.json.part"
  echo $((SECONDS - start)) >"$folder/seconds"
  mv "$folder/eval.json.part" "$folder/eval.json"
}

if [ -n "$one" ]; then
  # In a process of its own, so that `set -e` ends this site and no other.
  run_site "$one" >"$work/$one.log" 2>&1
  exit
fi

if [ ! -d "$data" ]; then
  echo "SKIPPED: no real sites in $data; set TROMMEL_DATA" >&2
  exit 77
fi
if [ ${#sites[@]} -eq 0 ]; then
  for folder in "$data"/*/truth.jsonl; do
    sites+=("$(basename "$(dirname "$folder")")")
  done
fi
if [ -z "$work" ]; then
  work=$(mktemp -d)
  [ -n "$keep" ] || trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
work=$(cd "$work" && pwd)

options=(--trommel="$trommel" --data="$data" --work="$work" --pages="$pages")
[ -z "$plain" ] || options+=(--plain)
for flag in "${learn_flags[@]}"; do options+=("--learn=$flag"); done
printf '%s\0' "${sites[@]}" | xargs -0 -P "$jobs" -I{} sh -c '
  site=$1; shift
  if "$@" --one="$site"; then echo "done: $site" >&2
  else echo "FAILED: $site" >&2; tail -n 5 "$0/$site.log" >&2; fi' \
  "$work" {} "$0" "${options[@]}"

failed=0
/usr/bin/python3 "$here/swde_table.py" "$work" "${thresholds[@]}" \
  "${sites[@]}" || failed=1
[ -z "$keep" ] || echo "working folder: $work"
exit "$failed"

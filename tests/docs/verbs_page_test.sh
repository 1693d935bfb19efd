#!/usr/bin/env bash
# docs/verbs.md is what the program says about itself: `verbs_page_test.sh TROMMEL`.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! deploy/verbs-page "$1" | diff docs/verbs.md - >&2; then
  echo "docs/verbs.md is old: deploy/verbs-page $1 >docs/verbs.md" >&2
  exit 1
fi

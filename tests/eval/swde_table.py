#!/usr/bin/python3
"""swde_table.py WORK [THRESHOLD...] SITE...: the figures of sites that swde.sh has run, from
WORK/SITE/{eval.json,annotations.jsonl,status.jsonl,seconds}, as a table and as
WORK/summary.json. Sites that failed count as 0. Exit code 1 if any did, or if
a threshold (as in swde.sh) is missed."""
import collections
import json
import pathlib
import re
import sys


def mean(numbers):
    numbers = [number for number in numbers if number is not None]
    return sum(numbers) / len(numbers) if numbers else 0.0


def show(number):
    return "     -" if number is None else f"{number:6.4f}"


def read_site(folder):
    site = {"attributes": [], "f1": 0.0, "precision": None, "recall": 0.0,
            "hit": 0.0, "failed": True, "annotated": 0, "seconds": 0,
            "statuses": ""}
    annotations = folder / "annotations.jsonl"
    if annotations.is_file():
        site["annotated"] = len({
            json.loads(line)["url"]
            for line in annotations.read_text(encoding="utf-8").splitlines()})
    status = folder / "status.jsonl"
    if status.is_file():
        counts = collections.Counter(
            json.loads(line)["status"]
            for line in status.read_text(encoding="utf-8").splitlines())
        site["statuses"] = ", ".join(
            f"{count} {name}" for name, count in sorted(counts.items()))
    seconds = folder / "seconds"
    if seconds.is_file():
        site["seconds"] = int(seconds.read_text(encoding="utf-8"))
    report = folder / "eval.json"
    if not report.is_file():
        return site
    score = json.loads(report.read_text(encoding="utf-8"))
    overall = score["overall"]
    site.update(failed=False, f1=overall["strict"]["f1"],
                precision=overall["strict"]["precision"],
                recall=overall["strict"]["recall"],
                hit=overall["page_hit"]["f1"])
    for host in score["sites"]:
        site["attributes"] += [row for row in host["attributes"]
                               if row["occurs"]]
    return site


def missed(thresholds, summary, sites):
    """A sentence for each threshold that is missed."""
    for threshold in thresholds:
        name, number = threshold.split("=")
        number = float(number)
        if name == "--least-done":
            for site, figures in sites.items():
                is_done = re.fullmatch(r"\d+ done(, \d+ ignored)?",
                                       figures["statuses"])
                if is_done and figures["f1"] < number:
                    yield (f"{site} is done and its strict F1 is "
                           f"{figures['f1']:.4f}, less than {number}")
            continue
        key, sign = {"--least": ("strict_f1", 1),
                     "--least-precision": ("strict_precision", 1),
                     "--most-pages": ("annotated_pages", -1)}[name]
        if sign * summary[key] < sign * number:
            yield (f"{key} is {summary[key]:.4f}, "
                   f"{'less' if sign > 0 else 'more'} than {number}")


def main():
    work = pathlib.Path(sys.argv[1])
    thresholds = [name for name in sys.argv[2:] if name.startswith("--")]
    names = [name for name in sys.argv[2:] if not name.startswith("--")]
    sites = {name: read_site(work / name) for name in names}
    width = max(map(len, names))
    print(f"{'':{width}} {'':16} strict precis recall    hit  right/"
          "extracted/true")
    for name in names:
        site = sites[name]
        for row in site["attributes"]:
            strict = row["strict"]
            print(f"{name:{width}} {row['attribute']:16} "
                  f"{show(strict['f1'])} {show(strict['precision'])} "
                  f"{show(strict['recall'])} {show(row['page_hit']['f1'])}"
                  f"  {strict['right']}/{strict['extracted']}/"
                  f"{strict['true']}")
        print(f"{name:{width}} {'(mean)':16} {show(site['f1'])} "
              f"{show(site['precision'])} {show(site['recall'])} "
              f"{show(site['hit'])}  {site['annotated']} annotated, "
              f"{site['seconds']} s; {site['statuses']}"
              + ("  FAILED: see log" if site["failed"] else ""))
    by_attribute = collections.defaultdict(list)
    for name in names:
        vertical = name.split("-")[0]
        for row in sites[name]["attributes"]:
            by_attribute[f"{vertical}.{row['attribute']}"].append(
                row["strict"]["f1"])
    print()
    for attribute in sorted(by_attribute):
        scores = by_attribute[attribute]
        print(f"{attribute:28} {mean(scores):6.4f}  "
              + " ".join(f"{score:.3f}" for score in scores))
    summary = {
        "sites": len(names),
        "failed": sum(site["failed"] for site in sites.values()),
        "strict_f1": mean([site["f1"] for site in sites.values()]),
        "strict_precision": mean([site["precision"]
                                  for site in sites.values()]),
        "strict_recall": mean([site["recall"] for site in sites.values()]),
        "page_hit_f1": mean([site["hit"] for site in sites.values()]),
        "annotated_pages": mean([site["annotated"]
                                 for site in sites.values()]),
    }
    print(f"\n{len(names)} sites: strict F1 {summary['strict_f1']:.4f}, "
          f"precision {summary['strict_precision']:.4f}, "
          f"recall {summary['strict_recall']:.4f}, "
          f"page hit F1 {summary['page_hit_f1']:.4f}, "
          f"annotated pages a site {summary['annotated_pages']:.2f}, "
          f"failed {summary['failed']}")
    (work / "summary.json").write_text(json.dumps(summary) + "\n",
                                       encoding="utf-8")
    failures = list(missed(thresholds, summary, sites))
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    sys.exit(1 if summary["failed"] or failures else 0)


if __name__ == "__main__":
    main()

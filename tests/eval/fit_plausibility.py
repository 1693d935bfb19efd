#!/usr/bin/python3
"""fit_plausibility.py [OPTION...]: weights of the clues by which the Vertex
learner judges its hypotheses (core/learn/vertex/plausibility.cc).

  --hypotheses=FILE  the program (build/release/tests/eval/hypotheses)
  --swde=WORK        a working folder of swde.sh; repeats
  --data=DIR         its sites ($TROMMEL_DATA/swde, ../shared/data/swde)
  --shapes=WORK      a working folder of shapes.py; repeats
  --seeds=N          choices of annotated pages of each site (2)
  --jobs=N           sites at a time (2)

Of each site the largest cluster with a sample is taken. `hypotheses` learns
from one to four of its pages and says of each hypothesis what its clues are and
on which share of further pages it is right. The weights are those of a logistic
regression for being right on 97% of these pages; all hypotheses about one
attribute together count as one example. Prints the weights, and from a fit that
leaves every ninth site out in turn, how often the most plausible hypothesis is
right and how well that is foretold.
"""
import argparse
import base64
import collections
import concurrent.futures
import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/testing"))
from table_rows import rows  # pylint: disable=wrong-import-position

RIGHT = 0.97
MOST_OTHERS = 70
FOLDS = 9
RIDGE = 0.3


def load_numpy():
    """numpy of the machine, or the one that came with deploy/setup's pandas."""
    try:
        import numpy  # pylint: disable=import-outside-toplevel
    except ImportError:
        cache = os.environ.get("TROMMEL_CACHE") or os.path.expanduser(
            "~/.cache/trommel")
        sys.path.extend(sorted(glob.glob(f"{cache}/pandas-*")))
        import numpy  # pylint: disable=import-outside-toplevel
    return numpy


def page_line(row):
    return json.dumps({
        "url": row["url"], "content_charset": row.get("content_charset"),
        "content_base64": base64.b64encode(row["content"]).decode()}) + "\n"


def clusters_of(work, crawl, truth):
    """Sample and further pages of the clusters of a pipeline's folder."""
    samples = collections.defaultdict(list)
    for row in rows(work / "samples/samples"):
        if row["url"] in truth:
            samples[row["cluster_id"]].append(row)
    placed = {row["url"]: row["cluster_id"] for row in rows(
        work / "clusters/assignments", ["url", "cluster_id"])}
    pages = list(rows(crawl))
    for cluster, sample in samples.items():
        sample.sort(key=lambda row: row["rank"])
        sampled = {row["url"] for row in sample}
        others = [row for row in pages
                  if placed.get(row["url"]) == cluster
                  and row["url"] not in sampled and row["url"] in truth]
        if len(sample) >= 12:
            yield cluster, sample, others[:MOST_OTHERS]


def truth_of(path):
    return {json.loads(line)["url"]: line
            for line in path.read_text(encoding="utf-8").splitlines() if line}


def folders(options):
    for work in map(pathlib.Path, options.swde):
        for folder in sorted(work.glob("*/samples")):
            site = folder.parent
            yield (site, options.data / site.name / "crawl",
                   options.data / site.name / "truth.jsonl")
    for work in map(pathlib.Path, options.shapes):
        for folder in sorted(work.glob("*/samples")):
            site = folder.parent
            for crawl in site.glob("web/day=*/crawl"):
                yield site, crawl, site / "truth.jsonl"


def measure(options, folder):
    """The lines of `hypotheses` about all clusters of a folder."""
    site, crawl, truth_file = folder
    truth = truth_of(truth_file)
    lines = []
    for cluster, sample, others in clusters_of(site, crawl, truth):
        with tempfile.TemporaryDirectory() as temp:
            temp = pathlib.Path(temp)
            for name, pages in (("sample", sample), ("others", others)):
                (temp / name).write_text("".join(map(page_line, pages)),
                                         encoding="utf-8")
            (temp / "truth").write_text("\n".join(
                truth[row["url"]] for row in sample + others) + "\n",
                encoding="utf-8")
            for seed in range(1, options.seeds + 1):
                done = subprocess.run(
                    [options.hypotheses, site / "schema.textproto",
                     temp / "sample", temp / "others", temp / "truth",
                     str(seed)],
                    stdout=subprocess.PIPE, text=True, check=True)
                for line in done.stdout.splitlines():
                    line = json.loads(line)
                    line["site"] = f"{site.name} {cluster}"
                    line["seed"] = seed
                    lines.append(line)
    return lines


def fit(numpy, clues, is_right, weights):
    """Logistic regression by Newton's method."""
    result = numpy.zeros(clues.shape[1])
    ridge = numpy.eye(clues.shape[1]) * RIDGE
    ridge[0, 0] = 1e-3
    for _ in range(60):
        p = 1 / (1 + numpy.exp(-clues @ result))
        gradient = clues.T @ (weights * (p - is_right)) + ridge @ result
        hessian = (clues * (weights * p * (1 - p))[:, None]).T @ clues + ridge
        step = numpy.linalg.solve(hessian, gradient)
        result -= step
        if abs(step).max() < 1e-6:
            break
    return result


def report(numpy, lines):
    names = list(lines[0]["clues"])
    clues = numpy.array([[line["clues"][name] for name in names]
                         for line in lines], float)
    share = numpy.array([line["right"] for line in lines])
    is_right = (share >= RIGHT).astype(float)
    groups = [(line["site"], line["seed"], line["annotated"],
               line["attribute"]) for line in lines]
    sizes = collections.Counter(groups)
    weights = numpy.array([1 / sizes[group] for group in groups])
    sites = sorted({line["site"] for line in lines})
    fold = numpy.array([sites.index(line["site"]) % FOLDS for line in lines])
    stated = numpy.zeros(len(lines))
    for left_out in range(FOLDS):
        test = fold == left_out
        if test.any() and not test.all():
            found = fit(numpy, clues[~test], is_right[~test], weights[~test])
            stated[test] = 1 / (1 + numpy.exp(-clues[test] @ found))
    best = {}
    for i, group in enumerate(groups):
        if group not in best or stated[i] > stated[best[group]]:
            best[group] = i
    for annotated in sorted({group[2] for group in best}):
        some = [i for group, i in best.items() if group[2] == annotated]
        print(f"{annotated} annotated, {len(some)} attributes: the most "
              f"plausible is right {is_right[some].mean():.4f}, stated "
              f"{stated[some].mean():.4f}; pages right {share[some].mean():.4f}")
    for name, weight in zip(names, fit(numpy, clues, is_right, weights)):
        print(f'    {{"{name}", {weight:.2f}}},')


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    data = os.environ.get("TROMMEL_DATA") or str(ROOT / "../shared/data")
    parser.add_argument("--hypotheses", default=str(
        ROOT / "build/release/tests/eval/hypotheses"))
    parser.add_argument("--swde", action="append", default=[])
    parser.add_argument("--shapes", action="append", default=[])
    parser.add_argument("--data", type=pathlib.Path,
                        default=pathlib.Path(data) / "swde")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    numpy = load_numpy()
    lines = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for more in pool.map(lambda folder: measure(options, folder),
                             list(folders(options))):
            lines += more
    if not lines:
        sys.exit("no hypotheses: are there working folders?")
    report(numpy, lines)


if __name__ == "__main__":
    main()

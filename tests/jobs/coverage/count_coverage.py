#!/usr/bin/python3
"""count_coverage.py COVERAGE CLUSTERS DAY=CLUSTERS...: counts what `trommel
coverage` says, in another way.

COVERAGE is its output, CLUSTERS the clustering that it began with, and the others
clusterings by `trommel cluster` of each day's crawl by itself. These know the
signature of every page, and what a site clustered anew on that day looks like.
From them all timelines that count by signature are made again, with fractions
and loops over all pages, and compared with every row; of the others, the pages
and the coverage by new clusters.
"""
import collections
import fractions
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "testing"))
from table_rows import rows  # pylint: disable=wrong-import-position


def masks(clusters):
    """The signatures of each site's clusters, as lists of eight bytes or *."""
    found = collections.defaultdict(list)
    for cluster in rows(f"{clusters}/clusters"):
        for signature in cluster["signatures"]:
            found[cluster["site"]].append(signature["signature"].split("."))
    return found


def covers(mask, page):
    return all(m in ("*", p) for m, p in zip(mask, page))


def num_covered(site_masks, pages):
    return sum(page is not None and any(covers(mask, page) for mask in site_masks)
               for page in pages)


def timeline(first, before, days, threshold):
    """Yields what a row of a site's timeline has to say, day by day."""
    current, clustered_on = first, None
    for day, pages, anew_masks in days:
        covered = num_covered(current, pages)
        share = fractions.Fraction(covered, len(pages))
        change = (before is not None and
                  before - share > fractions.Fraction(threshold, 100))
        row = dict(day=day, clustered_on=clustered_on, pages=len(pages),
                   by_signature=covered, change=change, covered_anew=None)
        before = share
        if change or not current:
            current, clustered_on = anew_masks, day
            row["covered_anew"] = num_covered(current, pages)
            before = fractions.Fraction(row["covered_anew"], len(pages))
        yield row


def main():
    coverage, clusters = sys.argv[1:3]
    by_day = dict(argument.split("=", 1) for argument in sys.argv[3:])
    first = masks(clusters)
    before = {row["site"]: fractions.Fraction(row["by_signature"], row["pages"])
              for row in rows(f"{clusters}/sites")}
    pages = collections.defaultdict(dict)  # by site, then by day
    anew, placed = {}, collections.Counter()
    for day, folder in by_day.items():
        anew[day] = masks(folder)
        for row in rows(f"{folder}/assignments"):
            signature = row["signature"]
            pages[row["site"]].setdefault(day, []).append(
                signature.split(".") if signature else None)
            placed[row["site"], day] += row["cluster_id"] is not None
    found = collections.defaultdict(list)
    for row in rows(f"{coverage}/coverage"):
        found[row["site"], row["counting"], row["threshold"]].append(row)
    checked = changes = anew_checked = 0
    for (site, counting, threshold), timeline_rows in found.items():
        timeline_rows.sort(key=lambda row: row["day"])
        days = [(day, pages[site][day], anew[day][site])
                for day in sorted(pages[site])]
        assert [row["day"] for row in timeline_rows] == [day for day, _, _ in days]
        if counting == "placed":
            for row in timeline_rows:
                assert row["pages"] == len(pages[site][row["day"]]), row
                if row["covered_anew"] is None:
                    continue
                anew_checked += 1
                assert row["covered_anew"] == placed[site, row["day"]], row
            continue
        expected = timeline(first[site], before.get(site), days, threshold)
        for row, want in zip(timeline_rows, expected):
            for column, value in want.items():
                assert row[column] == value, (site, threshold, column, row, want)
            assert row["covered"] == row["by_signature"]
            assert abs(row["coverage"] - row["covered"] / row["pages"]) < 1e-12
            checked += 1
            changes += row["change"]
    sites = {site for site, _, _ in found}
    assert sites == set(pages), sites ^ set(pages)
    assert checked and changes and anew_checked, (checked, changes, anew_checked)
    print(f"{checked} rows of {len(sites)} sites, {changes} changes, "
          f"{anew_checked} clusterings")


if __name__ == "__main__":
    main()

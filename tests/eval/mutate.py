#!/usr/bin/python3
"""mutate.py KIND CRAWL OUT [PAGES]: the pages of a crawl (the first so many of
them) after their site was changed.

Kinds, applied to all pages of the site alike:
  none               nothing; pages are only written out anew, as in all kinds
  class_rename       every class gets another name
  wrapper_added      a <div> is put around the main content of the page
  attribute_removed  ids disappear
  section_moved      the first section of the main content moves to its end
  label_changed      the labels of attributes get another wording

Pages are parsed and written by lxml, so a kind is to be compared with `none`,
not with the crawl itself. Main content is what the way from <body> to the child
that holds most of the text leads to; labels are short texts with a colon that
most pages have.
"""
import collections
import itertools
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "deploy"), str(ROOT / "tests/testing")]
import crawl_to_jsonl  # pylint: disable=wrong-import-position
import table_rows  # pylint: disable=wrong-import-position
from load_lxml import load_lxml  # pylint: disable=wrong-import-position

# A child with so much of the text holds the main content.
MAIN_SHARE = 0.6
LABEL_LENGTH = 30
LABEL_PAGES = 0.5


def elements(tree):
    return [node for node in tree.iter() if isinstance(node.tag, str)]


def text_lengths(tree):
    """Of what readers see below each node."""
    lengths = collections.Counter()
    for node in reversed(list(tree.iter())):
        if node.tag in ("script", "style") or not isinstance(node.tag, str):
            lengths[node] = 0
        else:
            lengths[node] += len(node.text or "")
        if node.getparent() is not None:
            lengths[node.getparent()] += lengths[node] + len(node.tail or "")
    return lengths


def main_content(tree, lengths):
    node = tree.find("body")
    while node is not None:
        best = max((child for child in node if isinstance(child.tag, str)),
                   key=lengths.__getitem__, default=None)
        if best is None or lengths[best] < MAIN_SHARE * lengths[node]:
            return node
        if best.tag in ("table", "tbody", "tr", "p", "form", "ul"):
            return node  # keep what stands in it where it may stand
        node = best
    return None


def rename_classes(tree, _labels):
    for node in elements(tree):
        if node.get("class"):
            node.set("class", " ".join(f"x-{name}-2"
                                       for name in node.get("class").split()))


def add_wrapper(tree, _labels):
    content = main_content(tree, text_lengths(tree))
    if content is None:
        return
    wrapper = content.makeelement("div", {"class": "page-wrapper"})
    wrapper.text, content.text = content.text, None
    for child in list(content):
        wrapper.append(child)
    content.append(wrapper)


def remove_ids(tree, _labels):
    for node in elements(tree):
        node.attrib.pop("id", None)


def move_section(tree, _labels):
    lengths = text_lengths(tree)
    content = main_content(tree, lengths)
    children = [] if content is None else [
        child for child in content
        if isinstance(child.tag, str) and lengths[child] > 0]
    if len(children) > 1:
        content.append(children[0])


def label_of(text):
    """The text, if it may be a label."""
    text = " ".join((text or "").split())
    return text if text.endswith(":") and len(text) <= LABEL_LENGTH else None


def texts(tree):
    for node in elements(tree):
        if node.tag not in ("script", "style"):
            yield node, "text"
        yield node, "tail"


def change_labels(tree, labels):
    for node, place in texts(tree):
        label = label_of(getattr(node, place))
        if label in labels:
            setattr(node, place, f"Its {label[:-1].lower()} is:")


KINDS = {
    "none": lambda tree, labels: None,
    "class_rename": rename_classes,
    "wrapper_added": add_wrapper,
    "attribute_removed": remove_ids,
    "section_moved": move_section,
    "label_changed": change_labels,
}


def common_labels(trees):
    pages = collections.Counter()
    for tree in trees:
        pages.update({label_of(getattr(node, place))
                      for node, place in texts(tree)} - {None})
    return {label for label, count in pages.items()
            if count >= LABEL_PAGES * len(trees)}


def main():
    kind, crawl, out = sys.argv[1:4]
    num_pages = int(sys.argv[4]) if len(sys.argv) > 4 else None
    parquet = crawl_to_jsonl.load_pyarrow()
    import pyarrow  # pylint: disable=import-outside-toplevel

    html = load_lxml().html
    rows = list(itertools.islice(table_rows.rows(crawl), num_pages))
    trees = []
    for row in rows:
        parser = html.HTMLParser(encoding=row.get("content_charset") or "utf-8")
        trees.append(html.document_fromstring(row["content"], parser=parser))
    labels = common_labels(trees)
    for row, tree in zip(rows, trees):
        KINDS[kind](tree, labels)
        row["content"] = html.tostring(tree, encoding="utf-8",
                                       doctype="<!DOCTYPE html>")
        row["content_charset"] = "utf-8"
    pathlib.Path(out).mkdir(parents=True)
    parquet.write_table(
        pyarrow.Table.from_pylist(rows, schema=parquet.read_schema(
            sorted(pathlib.Path(crawl).glob("*.parquet"))[0])),
        f"{out}/part-00000.parquet")


if __name__ == "__main__":
    main()

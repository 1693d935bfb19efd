#!/usr/bin/python3
"""crawl_to_warc.py CRAWL OUT.warc.gz: a crawl as a WARC file, one gzip member
a record, as crawlers write them."""

import gzip
import sys

import crawl_to_jsonl


def record(row):
    http = (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" +
            row["content"])
    header = (f"WARC/1.0\r\nWARC-Type: response\r\n"
              f"WARC-Target-URI: {row['url']}\r\n"
              f"WARC-Date: {row['fetch_time']:%Y-%m-%dT%H:%M:%SZ}\r\n"
              f"Content-Type: application/http; msgtype=response\r\n"
              f"Content-Length: {len(http)}\r\n\r\n")
    return header.encode() + http + b"\r\n\r\n"


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    _, crawl, out = arguments
    with open(out, "wb") as file:
        for row in crawl_to_jsonl.pages(crawl, -1):
            file.write(gzip.compress(record(row), 1, mtime=0))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

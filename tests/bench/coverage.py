#!/usr/bin/python3
"""coverage.py TROMMEL WEB [ROUNDS]: what `trommel coverage` costs.

WEB is an output of `trommel generate` with two days. Takes turns at `trommel
cluster` of the second day's crawl, the same from its table of signatures, which
is all but the signing, and `trommel coverage` of that crawl against the clusters
of the first day. Prints the least of each, in processor seconds with one worker,
and what coverage costs in terms of signing.
"""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

TARGET = 1.3


def seconds(*command):
    """Processor seconds of a command."""
    def now():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = now()
    subprocess.run(list(map(str, command)), check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return now() - before


def main():
    trommel, web = map(pathlib.Path, sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    first, second = sorted(web.glob("day=*/crawl"))[:2]
    work = pathlib.Path(tempfile.mkdtemp())
    try:
        run = lambda *flags: seconds(trommel, *flags, "--workers=1", "--force")
        run("cluster", f"--crawl={first}", f"--out={work}/first")
        whole, rest, coverage = [], [], []
        for _ in range(rounds):
            whole.append(run("cluster", f"--crawl={second}",
                             f"--out={work}/second"))
            rest.append(run("cluster",
                            f"--signatures={work}/second/signatures",
                            f"--out={work}/again"))
            coverage.append(run("coverage", f"--clusters={work}/first",
                                f"--crawl={second}", f"--out={work}/coverage"))
    finally:
        shutil.rmtree(work)
    signing = min(whole) - min(rest)
    ratio = min(coverage) / signing
    print(f"trommel cluster                    {min(whole):7.2f} s")
    print(f"  of it from signatures            {min(rest):7.2f} s")
    print(f"  so signing takes                 {signing:7.2f} s")
    print(f"trommel coverage                   {min(coverage):7.2f} s")
    print(f"coverage / signing                 {ratio:7.2f}     "
          f"target <= {TARGET}   {'met' if ratio <= TARGET else 'MISSED'}")


if __name__ == "__main__":
    main()

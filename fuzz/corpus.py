#!/usr/bin/env python3
"""Packs a folder of libFuzzer's inputs into tests/data/NAME-corpus/corpus.xz, or unpacks it.

usage: corpus.py pack NAME FOLDER | unpack NAME FOLDER      NAME: cql, scenario

The file holds, for each input, its length as decimal text, a line end, and its bytes.
"""
import lzma
import pathlib
import sys



def packed_file(name):
    return pathlib.Path(__file__).parent.parent / f"tests/data/{name}-corpus/corpus.xz"


def pack(packed, folder):
    packed.parent.mkdir(parents=True, exist_ok=True)
    inputs = sorted((path.read_bytes() for path in folder.iterdir()), key=lambda data: (len(data), data))
    packed.write_bytes(lzma.compress(b"".join(b"%d\n%s" % (len(data), data) for data in inputs), preset=9))
    print(f"{len(inputs)} inputs, {packed.stat().st_size} bytes")


def unpack(packed, folder):
    folder.mkdir(parents=True, exist_ok=True)
    data = lzma.decompress(packed.read_bytes())
    at = count = 0
    while at < len(data):
        line = data.index(b"\n", at)
        end = line + 1 + int(data[at:line])
        (folder / f"{count:05d}").write_bytes(data[line + 1:end])
        at, count = end, count + 1
    print(f"{count} inputs")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack") or sys.argv[2] not in ("cql", "scenario"):
        sys.exit(__doc__)
    (pack if sys.argv[1] == "pack" else unpack)(packed_file(sys.argv[2]), pathlib.Path(sys.argv[3]))

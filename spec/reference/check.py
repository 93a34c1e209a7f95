#!/usr/bin/env python3
"""Compares bellows.py, the reader beside this file, with what the Java library answers.

The vectors are in ../vectors: hashing.json (bytes and hashes of keys), positions.json (positions of
hashes) and answers.json (answers of the golden files). Ends with 1 if anything differs.

    ./check.py
"""

import json
import pathlib
import sys
import uuid

import bellows

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "vectors"
READ = (1, 2, 3, 4, 5, 8, 10)
PARSE = {
    "long": int,
    "double": float,
    "text": str,
    "bytes": bytes.fromhex,
    "uuid": lambda value: uuid.UUID(value).bytes,
}


class Comparison:
    """Counts what was compared and prints what differs."""

    def __init__(self):
        self.compared = 0
        self.different = 0

    def same(self, what, got, wanted):
        self.compared += 1
        if got != wanted:
            self.different += 1
            print("check: %s: %r, but Java has %r" % (what, got, wanted), file=sys.stderr)


def load(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def check_hashes(comparison):
    for vector in load("hashing.json")["vectors"]:
        what = "%(scheme)s of %(type)s %(value)s" % vector
        data = bellows.key_bytes(PARSE[vector["type"]](vector["value"]))
        comparison.same("bytes, " + what, data.hex(), vector["bytes"])
        if vector["scheme"] == "xxh3-64":
            h = bellows.xxh3_64(data, int(vector["seed"]) & bellows.MASK)
        else:
            h = bellows.sip_hash_2_4(data, bytes.fromhex(vector["key"]))
        comparison.same("hash, " + what, "%016x" % h, vector["hash"])


def check_positions(comparison):
    for vector in load("positions.json")["vectors"]:
        h, bits = int(vector["hash"], 16), vector["bits"]
        if vector["layout"] == "classic":
            got = bellows.classic_positions(h, bits, vector["hashes"])
        elif vector["layout"] == "distinct":
            got = sorted(bellows.distinct_positions(h, bits, vector["hashes"]))
        else:
            got = bellows.blocked_positions(h, bits, *map(int, vector["pattern"].split("x")))
        wanted = vector.pop("positions")
        comparison.same("positions, %s" % vector, got, wanted)


def check_answers(comparison):
    """Every golden file of a kind that is read here has answers, and they are the same."""
    answers = load("answers.json")
    secret = bytes.fromhex(answers["secretKey"])
    keys = {
        "texts": answers["texts"],
        "longs": [int(value) for value in answers["longs"]],
        "bytes": [bytes.fromhex(value) for value in answers["bytes"]],
    }
    files = dict(answers["files"])
    others = 0
    for path in sorted(VECTORS.glob("*.bellows")):
        if bellows.Container(path.read_bytes(), 0).kind not in READ:
            others += 1
            continue
        if path.stem not in files:
            comparison.same("files of answers.json", path.stem, None)
            continue
        found = bellows.read(path, secret)
        for form, wanted in files.pop(path.stem).items():
            comparison.same("keys, %s" % form, len(keys[form]), len(wanted))
            for key, answer in zip(keys[form], wanted):
                got = "1" if found.might_contain(key) else "0"
                comparison.same("%s, %r" % (path.name, key), got, answer)
    for name in files:
        comparison.same("file " + name, None, name)
    return others


def main():
    comparison = Comparison()
    counts = []
    others = 0
    for check in (check_hashes, check_positions, check_answers):
        before = comparison.compared
        others = check(comparison) or others
        counts.append(comparison.compared - before)
    if comparison.different:
        sys.exit("check: %d of %d comparisons differ" % (comparison.different, comparison.compared))
    print(
        "check: %d bytes and hashes, %d lists of positions and %d answers agree" % tuple(counts)
        + "; %d golden files are of kinds that are not read here" % others
    )


if __name__ == "__main__":
    main()

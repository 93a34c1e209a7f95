#!/usr/bin/env python3
"""Compares bellows.py, the reader next to this file, with the answers of the Java library.

The vectors are in ../vectors: hashing.json (bytes and hashes of keys), positions.json (positions of
hashes) and answers.json (answers of the golden files). Ends with 1 if anything differs.

    ./check.py
"""

import json
import pathlib
import sys
import uuid

import bellows
import hashing

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "vectors"
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
        data = hashing.key_bytes(PARSE[vector["type"]](vector["value"]))
        comparison.same("bytes, " + what, data.hex(), vector["bytes"])
        if vector["scheme"] == "xxh3-64":
            h = hashing.xxh3_64(data, int(vector["seed"]) & hashing.MASK)
        else:
            h = hashing.sip_hash_2_4(data, bytes.fromhex(vector["key"]))
        comparison.same("hash, " + what, "%016x" % h, vector["hash"])


def check_positions(comparison):
    for vector in load("positions.json")["vectors"]:
        h, bits = int(vector["hash"], 16), vector["bits"]
        if vector["layout"] == "classic":
            got = hashing.classic_positions(h, bits, vector["hashes"])
        elif vector["layout"] == "distinct":
            got = sorted(hashing.distinct_positions(h, bits, vector["hashes"]))
        else:
            got = hashing.blocked_positions(h, bits, *map(int, vector["pattern"].split("x")))
        wanted = vector.pop("positions")
        comparison.same("positions, %s" % vector, got, wanted)


def forms(answers):
    """The forms of answers: for each its questions as lists, and the method that answers one."""
    return {
        "texts": ([[text] for text in answers["texts"]], "might_contain"),
        "longs": ([[int(value)] for value in answers["longs"]], "might_contain"),
        "bytes": ([[bytes.fromhex(value)] for value in answers["bytes"]], "might_contain"),
        "ids": ([[int(value)] for value in answers["ids"]], "might_contain_id"),
        "attributeTexts": (answers["attributeTexts"], "might_contain_text"),
        "numbers": (answers["numbers"], "might_contain_number"),
        "covers": (answers["ranges"], "might_contain_range"),
        "meets": (answers["ranges"], "might_intersect"),
    }


def check_answers(comparison):
    """Every golden file has answers, and they are the same; returns the number of files."""
    answers = load("answers.json")
    secret = bytes.fromhex(answers["secretKey"])
    asked = forms(answers)
    names = {path.stem for path in VECTORS.glob("*.bellows")}
    comparison.same("golden files without answers", sorted(names - set(answers["files"])), [])
    comparison.same("answers without a golden file", sorted(set(answers["files"]) - names), [])
    for name in sorted(names):
        found = bellows.read(VECTORS / (name + ".bellows"), secret)
        for form, wanted in answers["files"].get(name, {}).items():
            questions, method = asked[form]
            comparison.same("%s, number of %s" % (name, form), len(questions), len(wanted))
            for question, answer in zip(questions, wanted):
                got = "1" if getattr(found, method)(*question) else "0"
                comparison.same("%s, %s %s" % (name, form, question), got, answer)
    return len(names)


def main():
    comparison = Comparison()
    counts = []
    files = 0
    for check in (check_hashes, check_positions, check_answers):
        before = comparison.compared
        files = check(comparison) or files
        counts.append(comparison.compared - before)
    if comparison.different:
        sys.exit("check: %d of %d comparisons differ" % (comparison.different, comparison.compared))
    print(
        "check: %d bytes and hashes, %d lists of positions and %d answers agree" % tuple(counts)
        + "; every one of the %d golden files is read" % files
    )


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A reader of Bellows filters of every kind, as HASHING.md and FORMAT.md describe them.

It has no dependencies and no speed. It shows that the two pages are enough for another language:
`check.py`, in the same folder, compares its answers with those of the Java library on every golden file.
In this folder: hashing.py (keys to positions), container.py (headers, sections, checksums),
partition.py (kinds 6 and 7), ranges.py (kind 9), prefixes.py (kind 11), columns.py (kinds 12 and 20),
windows.py (kinds 13 and 14) and deltas.py (kind 18).

    ./bellows.py FILE KEY...        queries texts in a filter; of kind 9 a KEY is NAME=TEXT or NAME=NUMBER
"""

import sys

from columns import ColumnFilter
from container import Bytes, Container, is_set, require
from hashing import blocked_positions, classic_positions, distinct_positions
from partition import PartitionFilter
from deltas import Delta
from prefixes import PrefixFilter
from ranges import RangeFilter
from windows import PrefixWindow, RingWindow


class Filter:
    """A filter of kind bloom, counting, elastic, autoscaling, binarized (of either), scalable or folded."""

    def __init__(self, container, data):
        c = self.container = container
        self.end = c.end
        self.kind = c.kind
        if c.kind not in (10, 17):
            self.layout, self.bits, self.hashes, self.words = c.parameters[:4]
            self.own = c.parameters[4:]
        if c.kind in (3, 10, 17):
            self.parts = []
            for _ in range(1 if c.kind == 3 else c.parameters[0]):
                part = Filter(Container(data, self.end, c.key), data)
                self.parts.append(part)
                self.end = part.end
        elif c.kind == 8:
            self.series = self.read_series()
        else:
            require(c.kind in (1, 2, 4, 5, 16), "kind %d" % c.kind)

    def read_series(self):
        table, words = (Bytes(section) for section in self.container.sections)
        series = []
        for _ in range(table.number()):
            levels = []
            for _ in range(table.number()):
                _, bits, _, _ = table.numbers(4)
                levels.append((bits, words.words(bits)))
            series.append(levels)
        table.end()
        words.end()
        return series

    def positions(self, h, bits):
        if self.layout == 0:
            return classic_positions(h, bits, self.hashes)
        return blocked_positions(h, bits, self.words, self.hashes // self.words)

    def counter(self, position):
        width = self.own[0]
        bit = position * width
        data = self.container.sections[0]
        return int.from_bytes(data[bit // 8 : bit // 8 + 5], "little") >> bit % 8 & ((1 << width) - 1)

    def might_contain(self, key):
        """Whether the key passes; of kinds 4 and 5: whether it is accepted."""
        return self.has_hash(self.container.hash(key))

    def has_hash(self, h):
        if self.kind == 3:
            return self.parts[0].has_folded(h, self.own[0])
        if self.kind in (10, 17):
            return all(part.has_hash(h) for part in self.parts)
        if self.kind == 8:
            return all(
                any(all(is_set(words, p) for p in self.positions(h, bits)) for bits, words in levels)
                for levels in self.series
            )
        if self.kind in (4, 5):
            theta, decision = self.own[4:6] if self.kind == 4 else self.own[:2]
            drawn = distinct_positions(h, self.bits, self.hashes)
            hit = (lambda p: self.counter(p) > theta) if self.kind == 4 else (lambda p: is_set(self.container.sections[0], p))
            return sum(1 for p in drawn if hit(p)) >= decision
        if self.kind == 16:
            bits = self.container.sections[1]
            return sum(1 for p in self.positions(h, self.bits) if is_set(bits, p)) >= self.own[1]
        return self.has_folded(h, self.bits)

    def has_folded(self, h, bits):
        """Whether a filter of kind 1 or 2, folded to this many bits, has the hash."""
        hit = self.counter if self.kind == 2 else lambda p: is_set(self.container.sections[0], p)
        return all(any(hit(q) for q in range(p, self.bits, bits)) for p in self.positions(h, bits))


def read(path, key=None):
    """The filter of a file; the key is that of hash scheme 2."""
    with open(path, "rb") as file:
        data = file.read()
    container = Container(data, 0, key)
    end = container.end
    if container.kind in (6, 7, 15):
        found = PartitionFilter(container)
    elif container.kind == 9:
        found = RangeFilter(container)
    elif container.kind == 11:
        found = PrefixFilter(container)
    elif container.kind == 13:
        found = RingWindow(container)
    elif container.kind == 14:
        found = PrefixWindow(container)
    elif container.kind == 18:
        found = Delta(container)
    elif container.kind in (12, 20):
        found = ColumnFilter(container)
    else:
        found = Filter(container, data)
        end = found.end
    require(end == len(data), "bytes follow the end")
    return found


def ask(found, question):
    if not isinstance(found, RangeFilter):
        return found.might_contain(question)
    name, _, value = question.partition("=")
    if name in found.attributes:
        return found.might_contain_number(name, value)
    return found.might_contain_text(name, value)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    filter_ = read(sys.argv[1])
    for text in sys.argv[2:]:
        print("maybe" if ask(filter_, text) else "no", text)

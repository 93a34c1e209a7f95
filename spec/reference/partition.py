"""Kinds 6, 7 and 15, filters over the ids of a universe: FORMAT.md, "Kinds" and "The tree of kind 6"."""

import collections
import math
import struct

from container import Bytes, has_classic, is_set, require
from hashing import classic_positions

# Neighboring units from `first` up to, but not including, `end`, with filters of (bits, words), and
# with bitmaps of (None, words).
Leaf = collections.namedtuple("Leaf", "first end filters")

# What a file holds of one unit: its ids (mode 1) or the ones of its filter as one number (mode 0).
Unit = collections.namedtuple("Unit", "index count excess content")


class PartitionFilter:
    """A filter of kind 6, 7 or 15: trees of leaves. An id is in it if it is in any tree."""

    def __init__(self, container):
        self.container = container
        layout, self.bits, self.hashes, words, self.mode, universe, self.depth, fpp = container.parameters
        require(layout == 0 and words == 0 and self.mode in (0, 1), "layout or mode")
        self.universe = universe % (1 << 64)
        self.fpp = struct.unpack("<d", struct.pack("<q", fpp))[0]
        self.unit_keys = -(-self.universe >> self.depth)
        if container.kind in (7, 15):
            self.trees = self.read_trees()
        else:
            source = Bytes(container.sections[0])
            units = self.read_ids(source) if self.mode == 1 else self.read_units(source)
            source.end()
            self.sizes = self.leaf_sizes() if self.mode == 1 else []
            self.trees = [list(self.leaves(0, 1 << self.depth, units))]

    # ---- kinds 7 and 15: the leaves are in the file

    def read_trees(self):
        table, words = (Bytes(section) for section in self.container.sections)
        trees = []
        for _ in range(table.number()):
            leaves = []
            end = 0
            for _ in range(table.number()):
                level, skipped, _, filters = table.numbers(4)
                require(level <= self.depth, "level of a leaf")
                first = end + skipped
                end = first + (1 << self.depth - level)
                leaves.append(Leaf(first, end, [self.read_filter(table, words, first, end) for _ in range(filters)]))
            trees.append(leaves)
        table.end()
        words.end()
        return trees

    def read_filter(self, table, words, first, end):
        bits = table.number()
        if bits == 0 and self.container.kind == 15:
            require(table.number() <= 0x3FF0000000000000, "rate of a bitmap")
            return None, words.words(self.first_id(end) - self.first_id(first))
        return bits, words.words(bits)

    # ---- kind 6: the leaves follow from the units

    def read_ids(self, source):
        by_unit = {}
        for id_ in source.ascending(source.number()):
            by_unit.setdefault(self.unit(id_), []).append(id_)
        return [Unit(index, len(ids), 0, ids) for index, ids in by_unit.items()]

    def read_units(self, source):
        units = []
        for _ in range(source.number()):
            gap, count, excess, ones = source.numbers(4)
            index = gap + (units[-1].index + 1 if units else 0)
            if ones:
                content = sum(1 << position for position in source.ascending(ones))
            else:
                content = int.from_bytes(source.words(self.bits), "little")
            units.append(Unit(index, count, excess, content))
        return units

    def leaves(self, first, end, units):
        """The leaves with a filter below the node of these units."""
        load = sum(unit.count for unit in units) + max((unit.excess for unit in units), default=0)
        if load > self.unit_keys:
            middle = (first + end) // 2
            yield from self.leaves(first, middle, [unit for unit in units if unit.index < middle])
            yield from self.leaves(middle, end, [unit for unit in units if unit.index >= middle])
        elif units:
            yield Leaf(first, end, [self.leaf_filter(units)])

    def leaf_filter(self, units):
        if self.mode == 1:
            return self.filter_of([id_ for unit in units for id_ in unit.content])
        ones = 0
        for unit in units:
            ones |= unit.content
        return self.bits, words_of(ones, self.bits)

    def filter_of(self, ids):
        """A filter of the smallest size that can hold the ids and their ones."""
        hashes = [self.container.hash(id_) for id_ in ids]
        for bits, most_keys, most_ones in self.sizes:
            if len(ids) <= most_keys:
                ones = {p for h in hashes for p in classic_positions(h, bits, self.hashes)}
                if len(ones) <= most_ones:
                    return bits, words_of(sum(1 << p for p in ones), bits)
        raise ValueError("%d ids in a leaf of %d keys" % (len(ids), self.unit_keys))

    def leaf_sizes(self):
        """Ascending sizes of mode 1 with the maximum number of keys and of ones of each."""
        sizes = []
        capacity = 210 * (self.bits // 64)
        least = 0
        for bits in (64 * d for d in range(1, self.bits // 64) if capacity % d == 0):
            if bits >= least and 1.08 * bits <= self.bits and self.most_keys(bits) > 0:
                sizes.append((bits, self.most_keys(bits), self.most_ones(bits)))
                least = 1.08 * bits
        return sizes + [(self.bits, self.unit_keys, self.bits)]

    def most_keys(self, bits):
        k = self.hashes
        slack = 1 + k * (k - 1) / (4 * bits)

        def rate(keys):
            return (-math.expm1(k * keys * math.log1p(-1 / bits))) ** k * slack

        return most(self.unit_keys, lambda keys: rate(keys) <= self.fpp)

    def most_ones(self, bits):
        return most(bits, lambda ones: (ones / bits) ** self.hashes <= self.fpp * (1 + 1e-14))

    # ---- queries

    def unit(self, id_):
        return (id_ << self.depth) // self.universe

    def first_id(self, unit):
        return -(-unit * self.universe >> self.depth)

    def might_contain(self, key):
        """Whether the id of a key of any type may be in it."""
        return self.might_contain_id(self.container.hash(key) * self.universe >> 64)

    def might_contain_id(self, id_):
        if not 0 <= id_ < self.universe:
            return False
        unit, h = self.unit(id_), self.container.hash(id_)
        return any(self.is_in_tree(leaves, unit, id_, h) for leaves in self.trees)

    def is_in_tree(self, leaves, unit, id_, h):
        leaf = next((leaf for leaf in leaves if leaf.first <= unit < leaf.end), None)
        return leaf is not None and all(
            is_set(words, id_ - self.first_id(leaf.first)) if bits is None else has_classic(words, h, bits, self.hashes)
            for bits, words in leaf.filters
        )


def words_of(ones, bits):
    return ones.to_bytes((bits + 63) // 64 * 8, "little")


def most(limit, fits):
    """The largest number up to a limit that fits, where all smaller ones fit too; 0 if none does."""
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        low, limit = (middle, limit) if fits(middle) else (low, middle - 1)
    return low

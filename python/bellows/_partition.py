"""Filters over the ids of a universe: kinds 6, 7 and 15 (spec/FORMAT.md, "The tree of kind 6")."""

import bisect
import math

import numpy as np

from . import _rates
from ._bits import set_words
from ._container import FormatError, word_count
from ._filters import Filter, read_shape, shape_info
from ._hashing import CHUNK, next_state, product
from ._keys import KEY_TYPES, LONGS, Keys

MOST_UNIT_BITS = 1 << 30
MOST_HASHES = 256
MODEST_BYTES = 1 << 26

# the rate of a bitmap is at most 1.0, IEEE 754
ONE = 0x3FF0000000000000


class _Leaf:
    """Units from `first` up to, but not including, `end`, with filters of (bits, words, is a bitmap)."""

    def __init__(self, first, end, filters):
        self.first, self.end, self.filters = first, end, filters


class PartitionFilter(Filter):
    """A filter of kind 6, 7 or 15: trees of leaves; an id is in it if it is in any tree.

    Integers are ids if the file says that its keys are ids, and keys like any other otherwise;
    `contains_id` and `contains_ids` always take ids.
    """

    @classmethod
    def _read(cls, container, data):
        made = cls(container, data[container.start : container.end])
        made._read_settings(container)
        if container.kind != 6:
            trees = made._read_trees(container)
        else:
            if made.mode == 1 and made.scheme.needs_key:
                raise container.place_error("scheme", "its ids are hashed with a secret key: open it with key=")
            trees = [made._read_tree(container)]
        made._trees = [_Tree(made, leaves) for leaves in trees]
        return made

    def _read_settings(self, container):
        self.kind = {6: "partition", 7: "partition-view", 15: "partition-compact"}[container.kind]
        layout, self.bits = read_shape(container, 4, 1 if container.kind == 6 else 2, classic=True)
        self.hashes = layout.hashes
        self._layout = layout
        self.mode = container.parameter(4, "mode", 0, 1)
        self.universe = container.parameters[5] % (1 << 64)
        self.depth = container.parameter(6, "depth", 0, 63)
        self.fpp = container.probability(7, "fpp")
        if not 1 <= self.universe <= 1 << 63 or 1 << self.depth > self.universe:
            raise container.error(5, "a universe of %d ids in 2^%d units" % (self.universe, self.depth))
        if self.hashes > MOST_HASHES:
            raise container.error(2, "a partition filter has at most %d hashes, not %d" % (MOST_HASHES, self.hashes))
        self.unit_keys = -(-self.universe >> self.depth)
        need = max(1, math.ceil(self.unit_keys * layout.bits_per_key(self.fpp) * (1 - 1e-15)))
        if not need <= self.bits <= (need if self.mode == 0 else MOST_UNIT_BITS) or self.bits > MOST_UNIT_BITS:
            raise container.error(1, "bits of a unit %d, but its keys need %d" % (self.bits, need))

    # ---- kinds 7 and 15: the leaves are in the file

    def _read_trees(self, container):
        table, words = container.source(0), container.source(1)
        units = 1 << self.depth
        trees, bitmaps = [], 0
        for _ in range(table.count()):
            leaves, end = [], 0
            for _ in range(table.count()):
                level = table.number(self.depth)
                span = 1 << self.depth - level
                first = end + table.number(units - end)
                end = first + span
                if first % span or end > units:
                    raise FormatError(table.offset, "a leaf that is not a node of the tree")
                table.number()
                filters = []
                for _ in range(table.count()):
                    bits = table.number(self.bits)
                    is_bitmap = bits == 0 and container.kind == 15
                    if is_bitmap:
                        bits = self._first_id(end) - self._first_id(first)
                        table.number(ONE)
                        bitmaps += 1
                    if bits < 1:
                        raise FormatError(table.offset, "a leaf without bits")
                    filters.append((bits, words.words(bits), is_bitmap))
                if not filters:
                    raise FormatError(table.offset, "a leaf without a filter")
                leaves.append(_Leaf(first, end, filters))
            trees.append(leaves)
        table.end()
        if container.kind == 15 and not bitmaps:
            raise FormatError(table.offset, "a compact view without a bitmap")
        words.end()
        return trees

    # ---- kind 6: the leaves follow from the units

    def _read_tree(self, container):
        source = container.source(0)
        indices, counts, excesses, contents = [], [], [], []
        if self.mode == 1:
            for id_ in source.ascending(source.count(), self.universe):
                unit = self._unit(id_)
                if not indices or indices[-1] != unit:
                    indices.append(unit)
                    counts.append(0)
                    excesses.append(0)
                    contents.append([])
                counts[-1] += 1
                contents[-1].append(id_)
        else:
            next_ = 0
            for _ in range(source.count()):
                unit = next_ + source.number(max(0, (1 << self.depth) - next_ - 1))
                next_ = unit + 1
                size = self._first_id(unit + 1) - self._first_id(unit)
                count = source.number(size)
                excess = source.number(size - count)
                ones = source.number(self.bits)
                words = np.zeros(word_count(self.bits), np.uint64)
                if ones:
                    positions = np.array(source.ascending(ones, self.bits), np.uint64)
                    np.bitwise_or.at(words, (positions >> 6).view(np.int64), np.uint64(1) << (positions & 63))
                else:
                    words = source.words(self.bits)
                found = ones or _rates.ones_of(words)
                if count == 0 or found == 0 or (32 * found < self.bits) != bool(ones) or unit >= 1 << self.depth:
                    raise FormatError(source.offset, "unit %d is not stored in the smaller of its two forms" % unit)
                indices.append(unit)
                counts.append(count)
                excesses.append(excess)
                contents.append(words)
        source.end()
        self._keys = sum(counts)
        sums = [0]
        for count in counts:
            sums.append(sums[-1] + count)
        sizes = self._leaf_sizes() if self.mode == 1 else None
        leaves, budget = [], MODEST_BYTES + 256 * len(container.sections[0])
        pending = [(0, 1 << self.depth, 0, len(indices))]
        while pending:
            first, end, low, high = pending.pop()
            load = sums[high] - sums[low] + max(excesses[low:high], default=0)
            if load > self.unit_keys and end - first > 1:
                middle = (first + end) // 2
                split = bisect.bisect_left(indices, middle, low, high)
                pending += [(middle, end, split, high), (first, middle, low, split)]
                budget -= 256
            elif high > low:
                leaf = self._leaf(sizes, contents[low:high])
                budget -= 256 + 8 * len(leaf[1])
                leaves.append(_Leaf(first, end, [leaf + (False,)]))
            if budget < 0:
                raise FormatError(source.offset, "the tree would take far more memory than the input")
        return leaves

    def _leaf(self, sizes, contents):
        """The bits and words of a leaf with these units."""
        if self.mode == 0:
            return self.bits, np.bitwise_or.reduce(contents)
        ids = np.array([id_ for unit in contents for id_ in unit], np.uint64)
        hashes = self.scheme._integers(ids)
        for bits, most_keys, most_ones in sizes:
            if len(ids) <= most_keys:
                words = np.zeros(word_count(bits), np.uint64)
                set_words(words, hashes, bits, self._layout)
                if bits == self.bits or _rates.ones_of(words) <= most_ones:
                    return bits, words
        raise AssertionError("a unit can hold any number of ones")

    def _leaf_sizes(self):
        """The sizes of leaves of mode 1, ascending, with the maximum number of keys and of ones of each."""
        sizes, least = [], 0.0
        for bits in (64 * d for d in _rates.divisors(210 * (self.bits // 64)) if 64 * d < self.bits) if self.bits >= 64 else ():
            if bits >= least and 1.08 * bits <= self.bits:
                keys = self._most_keys(bits)
                if keys > 0:
                    sizes.append((bits, keys, self._most_ones(bits)))
                    least = 1.08 * bits
        return sizes + [(self.bits, self.unit_keys, self.bits)]

    def _most_keys(self, bits):
        k = self.hashes
        slack = 1 + k * (k - 1) / (4 * bits)

        def fits(keys):
            return (-math.expm1(k * keys * math.log1p(-1 / bits))) ** k * slack <= self.fpp

        return _most(self.unit_keys, fits)

    def _most_ones(self, bits):
        return _most(bits, lambda ones: (ones / bits) ** self.hashes <= self.fpp * (1 + 1e-14))

    # ---- queries

    def _unit(self, id_):
        return (id_ << self.depth) // self.universe

    def _first_id(self, unit):
        """The first id of a unit."""
        return -(-unit * self.universe >> self.depth)

    def _contains(self, keys):
        if self.key_type == 3:
            keys.hashes(self.scheme, self.key_type)
            return self.contains_ids(keys.array)
        return super()._contains(keys)

    def contains_hashes(self, hashes):
        universe = self.universe
        high, _ = product(hashes, np.uint64(universe))
        return self._has_ids(high)

    def contains_id(self, id_):
        """Whether an id may be in the filter; ids outside the universe are not."""
        return bool(self.contains_ids([id_])[0])

    def contains_ids(self, ids):
        """The same for an array of ids, as `contains_many` takes integers."""
        if self.key_type not in (0, 3):
            raise TypeError("the keys of this filter are %s, of which ids are the scaled hashes, not ids: call contains_many" % KEY_TYPES[self.key_type])
        keys = Keys(ids)
        if not keys.forms <= {LONGS} or keys.array.dtype.kind == "O":
            raise TypeError("ids are integers of 64 bits")
        ids = keys.array
        inside = ids >= 0
        wide = ids.astype(np.uint64)
        inside &= wide < self.universe
        answers = np.zeros(len(ids), bool)
        if keys.nulls is not None:
            inside &= ~keys.nulls
        answers[inside] = self._has_ids(wide[inside])
        return answers

    def _has_ids(self, ids):
        hashes = self.scheme._integers(ids)
        return np.logical_or.reduce([tree.has(ids, hashes) for tree in self._trees] or [np.zeros(len(ids), bool)])

    def _own_info(self):
        filters = [one for tree in self._trees for leaf in tree.leaves for one in leaf.filters]
        ones = sum(_rates.ones_of(words) for _, words, _ in filters)
        bits = sum(bits for bits, _, _ in filters)
        info = shape_info(self._layout, bits)
        info.update(
            ones=ones,
            fill=ones / bits if bits else 0.0,
            universe=_signed(self.universe),
            depth=self.depth,
            unitKeys=self.unit_keys,
            fpp=self.fpp,
            leaves=sum(len(tree.leaves) for tree in self._trees),
        )
        if self.kind == "partition":
            info["approximateKeys"] = float(self._keys)
            info["keys"] = self._keys
            info["expectedFpp"] = max(((_rates.ones_of(words) / bits) ** self.hashes for bits, words, _ in filters), default=0.0)
            info["mode"] = ("published", "exact")[self.mode]
            del info["leaves"]
        return info


def _signed(number):
    return number - (1 << 64) if number >> 63 else number


class _Tree:
    """The leaves of a tree as arrays, so that many ids can be queried at once."""

    def __init__(self, filter_, leaves):
        self.leaves = leaves
        self._hashes = filter_.hashes
        first = [filter_._first_id(leaf.first) for leaf in leaves]
        last = [filter_._first_id(leaf.end) - 1 for leaf in leaves]
        self._first, self._last = np.array(first, np.uint64), np.array(last, np.uint64)
        self._most = max((len(leaf.filters) for leaf in leaves), default=0)
        self._sizes, self._starts, self._bitmaps, parts, start = [], [], [], [], 0
        for rank in range(self._most):
            sizes, starts, bitmaps = [], [], []
            for leaf in leaves:
                bits, words, is_bitmap = leaf.filters[rank] if rank < len(leaf.filters) else (1, None, False)
                sizes.append(bits)
                bitmaps.append(is_bitmap)
                starts.append(start if words is not None else 0)
                if words is not None:
                    parts.append(words)
                    start += len(words)
            self._sizes.append(np.array(sizes, np.uint64))
            self._starts.append(np.array(starts, np.int64))
            self._bitmaps.append(np.array(bitmaps, bool))
        self._ranks = np.array([len(leaf.filters) for leaf in leaves], np.int64)
        self._words = np.concatenate(parts) if parts else np.zeros(0, np.uint64)

    def has(self, ids, hashes):
        answers = np.zeros(len(ids), bool)
        if not self.leaves:
            return answers
        for at in range(0, len(ids), CHUNK):
            part = ids[at : at + CHUNK]
            leaf = np.searchsorted(self._first, part, side="right").astype(np.int64) - 1
            inside = (leaf >= 0) & (part <= self._last[leaf])
            answers[at : at + CHUNK] = inside & self._has(np.where(inside, leaf, 0), part, hashes[at : at + CHUNK], inside)
        return answers

    def _has(self, leaf, ids, hashes, inside):
        offsets = np.where(inside, ids - self._first[leaf], 0).astype(np.uint64)
        hit = np.ones(len(leaf), bool)
        for rank in range(self._most):
            sizes, starts, is_bitmap = self._sizes[rank][leaf], self._starts[rank][leaf], self._bitmaps[rank][leaf]
            found = np.ones(len(leaf), np.uint64)
            x = hashes
            for _ in range(self._hashes):
                x = next_state(x)
                position = np.where(is_bitmap, offsets, (x >> 2) % sizes)
                found &= self._words[starts + (position >> 6).view(np.int64)] >> (position & 63)
            hit &= found.astype(bool) | (self._ranks[leaf] <= rank)
        return hit


def _most(limit, fits):
    """The largest number up to a limit that fits, where all smaller ones fit too; 0 if none does."""
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        low, limit = (middle, limit) if fits(middle) else (low, middle - 1)
    return low

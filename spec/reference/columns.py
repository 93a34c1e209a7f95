"""Kinds 12 and 20, columns of static filters: FORMAT.md, "The columns of kind 12"."""

from container import require
from hashing import MASK

GROUP = 64
BLOCK = 128
FACTOR = 0xD1342543DE82EF95
STEP = 0x9E3779B97F4A7C15


def following(value):
    product = value * FACTOR + STEP & MASK
    return product ^ product >> 32


class Layer:
    def __init__(self, seed, first_group, groups, thresholds):
        self.seed = seed
        self.first_group = first_group
        self.starts = GROUP * groups - GROUP + 1
        self.thresholds = thresholds

    def hash(self, h):
        return following(following(h ^ self.seed)) if self.seed else h

    def start(self, h):
        return (h >> 1) * self.starts >> 63

    def is_bumped(self, start):
        if not self.thresholds:
            return False
        block, offset = divmod(start, BLOCK)
        threshold = self.thresholds[block // 2] >> 4 * (block % 2) & 15
        return 15 * offset < BLOCK * threshold


class ColumnFilter:
    """Kind 12, or kind 20 from the first column on; other parts can be read but not queried."""

    def __init__(self, container):
        self.container = container
        numbers = list(container.parameters)
        if container.kind == 12:
            self.rung, sent, rest = numbers[:2], numbers[2:4], numbers[4:]
            low = [0, 0]
            require(sent <= self.rung, "what was sent")
        else:
            whole, low, self.rung, rest = numbers[1:3], numbers[3:5], numbers[5:7], numbers[7:]
            require(low <= self.rung <= whole, "columns")
        keys, self.hash_bits, attempt = rest[:3]
        groups = rest[3:]
        require((keys > 0) == bool(groups), "keys")
        thresholds, self.words = container.sections
        self.is_first = low == [0, 0]
        self.layers = []
        at = 0
        for i, count in enumerate(groups):
            is_last = i == len(groups) - 1
            size = 0 if is_last or not self.is_first else ((64 * count + BLOCK - 1) // BLOCK + 1) // 2
            seed = i + 1 + (attempt << 32) if is_last else i
            self.layers.append(Layer(seed, sum(groups[:i]), count, thresholds[at : at + size]))
            at += size
        require(at == len(thresholds), "thresholds")
        words = self.place(sum(groups), self.rung) - self.place(sum(groups), low)
        require(len(self.words) == 8 * max(1, words), "words")

    @staticmethod
    def place(group, rung):
        return group * rung[0] + min(group, rung[1])

    def word(self, index):
        return int.from_bytes(self.words[8 * index : 8 * index + 8], "little")

    def might_contain(self, key):
        require(self.is_first, "the first columns are missing")
        h = self.container.hash(key) >> 64 - self.hash_bits << 64 - self.hash_bits
        for layer in self.layers:
            h = layer.hash(h)
            start = layer.start(h)
            if not layer.is_bumped(start):
                return self.matches(layer.first_group + start // GROUP, start % GROUP, h)
        return False

    def matches(self, group, offset, h):
        mixed = following(following(h))
        coefficients = (mixed | 1) << offset
        checks = mixed * STEP & MASK
        last = group + (coefficients >> GROUP != 0)
        columns = self.rung[0] + (last < self.rung[1])
        for column in range(columns):
            rows = self.word(self.place(group, self.rung) + column)
            if last > group:
                rows |= self.word(self.place(last, self.rung) + column) << GROUP
            if bin(rows & coefficients).count("1") % 2 != checks >> 63 - column & 1:
                return False
        return True

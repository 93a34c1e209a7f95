"""Kinds 13 and 14, windows: FORMAT.md, "Windows"."""

from container import is_set, require
from hashing import blocked_positions
from prefixes import Bits, read_prefixes

NO_TIME = -(1 << 63)


class Times:
    """The clock grid and the clock, in milliseconds."""

    def __init__(self, parameters):
        self.window, self.generations, self.now, self.rules, self.late, self.fpp = parameters
        if self.now >= 1 << 63:
            self.now -= 1 << 64
        require(self.generations in (3, 7, 15, 31, 47), "generations")
        require(0 <= self.rules < 8, "rules")

    def generation(self, millis):
        return millis * self.generations // self.window


class RingWindow:
    """A key is in it if any generation has it: each is a filter of layout BLOCKED."""

    def __init__(self, container):
        self.container = container
        layout, self.bits, self.hashes, self.words = container.parameters[:4]
        require(layout == 1, "a window is BLOCKED")
        self.times = Times(container.parameters[4:10])
        require(self.times.generations != 47, "generations of a ring")
        self.lanes = self.times.generations + 1
        require(len(container.parameters) == 13 + self.lanes, "parameters")
        require(len(container.sections[0]) == self.bits // 8 * self.lanes, "words")

    def might_contain(self, key):
        h = self.container.hash(key)
        positions = blocked_positions(h, self.bits, self.words, self.hashes // self.words)
        return any(self.has(positions, lane) for lane in range(self.lanes))

    def has(self, positions, lane):
        """Whether a generation has the bits: bit p of it is bit p * lanes + lane of the ring."""
        data = self.container.sections[0]
        return all(is_set(data, p * self.lanes + lane) for p in positions)


class PrefixWindow:
    """A key is in it if one of its prefixes, of any age, is the beginning of the key's hash."""

    def __init__(self, container):
        self.container = container
        self.times = Times(container.parameters[:6])
        self.prefixes = read_prefixes(container.parameters[7:], container.sections[1:])
        ages = Bits(container.sections[0])
        width = self.times.generations.bit_length()
        self.ages = [ages.take(width) for _ in self.prefixes]
        require(all(age <= self.times.generations for age in self.ages), "an age")
        ages.end()
        self.found = set(self.prefixes)
        self.lengths = sorted({length for length, _ in self.found})

    def might_contain(self, key):
        h = self.container.hash(key)
        return any((length, h >> 64 - length) in self.found for length in self.lengths)

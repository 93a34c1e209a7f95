"""Kind 11, prefixes of hashes: FORMAT.md, "The parts of kind 11"."""

from container import require


class Bits:
    """Bits one after the other, from the lowest of the first byte."""

    def __init__(self, data):
        self.value = int.from_bytes(data, "little")
        self.left = 8 * len(data)

    def take(self, count):
        require(count <= self.left, "coded prefixes end early")
        taken = self.value & ((1 << count) - 1)
        self.value >>= count
        self.left -= count
        return taken

    def unary(self):
        zeros = 0
        while not self.take(1):
            zeros += 1
        return zeros

    def rice(self, low):
        high = self.unary()
        return high << low | self.take(low)

    def end(self):
        require(self.left < 8 and self.value == 0, "bits follow the coded prefixes")


def read_prefixes(parameters, sections):
    """The prefixes of some parts, in their order, each as its length and its bits."""
    count, base, coded, shorter, exceptions, gap_bits, exception_bits = parameters
    longest = coded & 63
    usual, signed = longest - (coded >> 6 & 63), coded >> 12
    parts = [Bits(section) for section in sections]
    require(len(parts) == 2 + longest - base, "parts")
    gaps, lengths, planes = parts[0], parts[1], parts[2:]
    missing = {}
    index = -1
    for _ in range(exceptions):
        skipped = lengths.rice(exception_bits)
        longer = False
        if signed:
            longer, skipped = skipped & 1 == 1, skipped >> 1
        index += 1 + skipped
        missing[index] = (-1 if longer else 1) * (1 + lengths.unary())
    prefixes = []
    first = 0
    for i in range(count):
        first += gaps.rice(gap_bits)
        length = usual - (i < shorter) - missing.get(i, 0)
        prefix = first << 64 - base
        for j in range(base, length):
            prefix |= planes[j - base].take(1) << 63 - j
        require(length > 0 and first < 1 << base, "a prefix")
        prefixes.append((length, prefix >> 64 - length))
        require(prefix % (1 << 64 - length) == 0, "bits behind a prefix")
    for part in parts:
        part.end()
    return prefixes


class PrefixFilter:
    """A key is in it if one of its prefixes is the beginning of the key's hash."""

    def __init__(self, container):
        self.container = container
        self.prefixes = set(read_prefixes(container.parameters[3:], container.sections))
        self.lengths = sorted({length for length, _ in self.prefixes})

    def might_contain(self, key):
        h = self.container.hash(key)
        return any((length, h >> 64 - length) in self.prefixes for length in self.lengths)

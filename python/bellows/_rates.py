"""Rates and sizes of plain filters: the formulas of the Java library, tested against its numbers.

`bits` is m, `hashes` is k, `keys` is n, and `fpp` is a false positive probability.
"""

import functools
import math

import numpy as np

LN2 = math.log(2)
BLOCK_BITS = 512

# The block pattern of a rate: that of the first band whose lower bound is below it.
BANDS = ((0.025, (2, 2)), (0.005, (2, 3)), (2e-4, (4, 2)), (1e-5, (4, 3)), (0, (8, 2)))


def check_fpp(fpp):
    fpp = float(fpp)
    if not 0 < fpp < 1:
        raise ValueError("fpp must be between 0 and 1, exclusive: %s" % fpp)
    return fpp


def with_hash_floor(fpp, keys):
    """The rate with the absent keys that have the hash of a stored one: keys / 2^64."""
    return fpp + (1 - fpp) * min(1.0, keys * 2.0**-64)


if hasattr(np, "bitwise_count"):

    def popcounts(words):
        return np.bitwise_count(words)

else:
    _ONES = np.array([bin(i).count("1") for i in range(1 << 16)], np.uint8)

    def popcounts(words):
        return _ONES[words.view(np.uint16)].reshape(-1, 4).sum(axis=1, dtype=np.uint8)


def ones_of(words):
    return int(popcounts(words).sum(dtype=np.int64))


def divisors(number):
    """All divisors, ascending."""
    found = [1]
    rest, p = number, 2
    while p * p <= rest:
        known = len(found)
        power = 1
        while rest % p == 0:
            rest //= p
            power *= p
            found += [power * d for d in found[:known]]
        p += 1 if p == 2 else 2
    if rest > 1:
        found += [rest * d for d in found]
    return sorted(found)


def most_divisible(low, high):
    """The number with the most divisors in [low, high], the smallest of them if several."""
    length = high - low
    if length < 64 or length < low // 64:
        return min(range(low, high + 1), key=lambda n: (-len(divisors(n)), n))
    best = (0, 0)

    def offer(number, count):
        nonlocal best
        if count > best[0] or (count == best[0] and number < best[1]):
            best = (count, number)

    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)

    def enumerate_(product, count, largest):
        prime = primes[largest]
        exponent = 0
        while product <= high:
            if largest:
                enumerate_(product, count * (exponent + 1), largest - 1)
            elif product >= low:
                offer(product, count * (exponent + 1))
            product *= prime
            exponent += 1

    enumerate_(1, 1, len(primes) - 1)
    return best[1]


class Classic:
    """A cell is one bit, and a key marks `hashes` of them."""

    family, pattern, cell_bits, unit_bits = "classic", None, 1, 64
    slack = 1.03

    def __init__(self, hashes):
        self.hashes = hashes

    @staticmethod
    def for_fpp(fpp):
        """The layout that needs the fewest bits per key for the rate."""
        floor = max(1, math.floor(-math.log(fpp) / LN2))
        bits = [Classic(hashes).bits_per_key(fpp) for hashes in (floor, floor + 1)]
        return Classic(floor + 1 if bits[1] < bits[0] else floor)

    @staticmethod
    def with_hashes(hashes):
        return Classic(hashes)

    def bits_per_key(self, fpp):
        return -self.hashes / math.log1p(-(fpp ** (1 / self.hashes)))

    def bits_for(self, keys, fpp):
        """The fewest bits at which even the exact rate is at most fpp."""

        def at(rate):
            return max(1, math.ceil(keys * self.bits_per_key(rate) * (1 - 1e-15)))

        k = self.hashes
        return at(fpp / (1 + k * (k + 1.0) / (4.0 * at(fpp))))

    def keys_from_ones(self, bits, ones):
        """The number of keys that most likely set these bits; finite on a full filter too."""
        if ones == 0:
            return 0.0
        if ones == bits:
            return max(1.0, -math.log(0.5 / bits) * bits / self.hashes)
        return math.log1p(-ones / bits) / (self.hashes * math.log1p(-1.0 / bits))

    def rate(self, words, bits):
        """The rate at which other keys set all bits of an absent one, from the actual fill."""
        return (ones_of(words) / bits) ** self.hashes

    def rate_folded(self, bits, ones, factor):
        share = 1.0 if ones == bits else -math.expm1(factor * math.log1p(-ones / bits))
        return share**self.hashes


class Blocked:
    """A cell is a block of 512 bits, and a key marks a pattern of words and bits in one of them."""

    family, cell_bits, unit_bits = "blocked", BLOCK_BITS, BLOCK_BITS
    slack = 1.02

    def __init__(self, words, bits):
        self.pattern = (words, bits)
        self.hashes = words * bits

    @staticmethod
    def for_fpp(fpp):
        return Blocked(*next(pattern for border, pattern in BANDS if fpp > border))

    @staticmethod
    def with_hashes(hashes):
        for _, (words, bits) in BANDS:
            if words * bits == hashes:
                return Blocked(words, bits)
        raise ValueError(
            "a blocked filter has no pattern of %d bits per key: take 4, 6, 8, 12 or 16, or layout='classic'" % hashes
        )

    def bits_for(self, keys, fpp):
        return BLOCK_BITS * _blocks_for(self.pattern, keys, fpp)

    def keys_from_ones(self, bits, ones):
        words, each = self.pattern
        if ones == 0:
            return 0.0
        hit = words / 8.0 * -math.expm1(each * math.log1p(-1 / 64.0))
        return math.log1p(-min(ones, bits - 1) / bits) / math.log1p(-hit / (bits // BLOCK_BITS))

    def rate(self, words, bits):
        """The mean over blocks of the chance that an absent key passes, from the actual fill."""
        groups, each = self.pattern
        passing = (np.arange(65) / 64.0) ** each
        total = 0.0
        for at in range(0, len(words), 8 << 13):
            chances = passing[popcounts(words[at : at + (8 << 13)])].reshape(-1, groups, 8 // groups)
            total += float(chances.mean(axis=2).prod(axis=1).sum())
        return total / (bits // BLOCK_BITS)

    def rate_folded(self, bits, ones, factor):
        return _block_fpp(self.pattern, bits // BLOCK_BITS // factor, math.floor(self.keys_from_ones(bits, ones) + 0.5))


def layout(family, fpp=None, hashes=None):
    families = {"blocked": Blocked, "classic": Classic}
    if family not in families:
        raise ValueError("layout %r is not one of 'blocked' and 'classic'" % (family,))
    return families[family].with_hashes(hashes) if fpp is None else families[family].for_fpp(fpp)


def foldable_bits(layout_, keys, fpp):
    """The size of a filter that is built for this many keys: it has many divisors."""
    floor = min(1.0, keys * 2.0**-64)
    if fpp <= max(1, keys) * 2.0**-64:
        raise ValueError("fpp %s cannot be reached: a key is one 64-bit hash, and %d keys alone give %.3g" % (fpp, keys, max(1, keys) * 2.0**-64))
    need = float(layout_.bits_for(max(1, keys), (fpp - floor) / (1 - floor)))
    unit = layout_.unit_bits
    low = max(1, math.ceil(need / unit))
    units = most_divisible(low, max(low, int(need * layout_.slack / unit)))
    if layout_.pattern and not _folds(units, low):
        units = next(n for n in range(low, low + 6) if _folds(n, low))
    return unit * units


def _folds(blocks, low):
    """A filter of at least 8 blocks folds by 2 or 3, one of at least 170 by both."""
    if low < 8:
        return True
    return blocks % 2 == 0 or blocks % 3 == 0 if low < 170 else blocks % 6 == 0


# ---- blocks: a table by the load of a block, and the mean over loads -----------------------------


@functools.lru_cache(maxsize=None)
def _by_load(pattern):
    """The rate of one block by its load, up to the load beyond which it is 1.

    a(d) is the chance that d positions of a word were all hit; a throw at the word changes it to
    (1 - d/64) a(d) + (d/64) a(d - 1), so a key is a multiplication by a small matrix.
    """
    words, bits = pattern
    thrown = [[1.0 if d == e else 0.0 for e in range(bits + 1)] for d in range(bits + 1)]
    for _ in range(bits):
        for d in range(bits, 0, -1):
            for e in range(d + 1):
                thrown[d][e] = (1 - d / 64) * thrown[d][e] + d / 64 * thrown[d - 1][e]
    touched = words / 8
    for d in range(bits + 1):
        for e in range(d + 1):
            thrown[d][e] = touched * thrown[d][e] + (1 - touched if d == e else 0)
    different = [1.0] + [0.0] * bits
    for _ in range(bits):
        for d in range(bits, 0, -1):
            different[d] = different[d] * (d / 64) + different[d - 1] * ((64 - d + 1) / 64)
        different[0] = 0.0
    hit = [1.0] + [0.0] * bits
    rates = []
    rate, before = 0.0, -1.0
    while rate > before:
        rates.append(rate)
        before = rate
        for d in range(bits, 0, -1):
            hit[d] = sum(thrown[d][e] * hit[e] for e in range(d + 1))
        rate = min(1.0, sum(different[d] * hit[d] for d in range(1, bits + 1))) ** words
    return rates


def _block_fpp(pattern, blocks, keys):
    """The rate of a filter with this many blocks, whose loads are binomial."""
    table = _by_load(pattern)
    if blocks == 1:
        return table[keys] if keys < len(table) else 1.0
    return _over_loads(table, keys, 1.0 / blocks)


def _over_loads(table, keys, share):
    """The mean over binomial loads, summed outwards from the most likely load."""
    if keys == 0:
        return 0.0
    mode = min(keys, int((keys + 1.0) * share))
    if mode - 10 * math.sqrt(mode) > len(table):
        return 1.0
    odds = share / (1 - share)
    weights = total = 0.0
    weight, j = 1.0, mode
    while j <= keys and weight > 1e-18 * total:
        weights += weight
        total += weight * (table[j] if j < len(table) else 1.0)
        weight *= (keys - j) / (j + 1) * odds
        j += 1
    weight, j = 1.0, mode
    while j > 0:
        weight *= j / ((keys - j + 1) * odds)
        if weight < 1e-18 * weights:
            break
        weights += weight
        total += weight * (table[j - 1] if j - 1 < len(table) else 1.0)
        j -= 1
    return total / weights


def _blocks_for(pattern, keys, fpp):
    """The fewest blocks whose rate is at most fpp."""

    def fits(blocks):
        return _block_fpp(pattern, blocks, keys) <= fpp

    low, high = 0, 1
    while not fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high

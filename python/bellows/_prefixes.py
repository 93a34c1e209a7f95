"""Prefixes of hashes: kind 11, and the part of kind 14 that it shares (spec/FORMAT.md, "The parts of kind 11")."""

import math
import struct

import numpy as np

from . import _rates
from ._container import FormatError, encode
from ._filters import Filter

MOST_BITS = 63


class BitReader:
    """Bits one after the other, from the lowest of the first byte."""

    def __init__(self, data, offset):
        self.size = 8 * len(data)
        self.offset = offset
        padded = np.zeros(len(data) // 8 * 8 + 24, np.uint8)
        padded[: len(data)] = np.frombuffer(data, np.uint8)
        self._words = padded.view("<u8")
        self.flags = np.unpackbits(padded[: len(data)], bitorder="little")
        self.at = 0

    def fields(self, at, count):
        """The numbers of `count` bits that begin at an array of positions."""
        if count == 0:
            return np.zeros(len(at), np.uint64)
        word, shift = at >> 6, (at & 63).astype(np.uint64)
        low = self._words[word] >> shift
        high = np.where(shift == 0, 0, self._words[word + 1] << (np.uint64(64) - np.maximum(shift, 1)))
        return (low | high) & ((1 << count) - 1)

    def rice(self, count, low, unary_behind=False):
        """`count` numbers in Rice code, each optionally followed by a number in unary code."""
        ones = np.append(np.flatnonzero(self.flags), self.size)
        next_one = ones[np.searchsorted(ones, np.arange(self.size + 1))]
        end_of = np.minimum(next_one + 1 + low, self.size + 1)
        if unary_behind:
            second = np.append(next_one, self.size)[end_of]
            end_of = np.minimum(second + 1, self.size + 1)
        end_of = np.append(end_of, self.size + 1)
        ends = memoryview(np.ascontiguousarray(end_of, np.int64))
        starts = np.empty(count, np.int64)
        at = 0
        for i in range(count):
            starts[i] = at
            at = ends[at]
        if at > self.size:
            raise FormatError(self.offset, "its coded prefixes end early")
        self.at = at
        high = next_one[starts]
        if count and int((high - starts).max()) >= 1 << 62 - low:
            raise FormatError(self.offset, "a coded number is too large")
        numbers = (high - starts).astype(np.uint64) << np.uint64(low) | self.fields(high + 1, low)
        if not unary_behind:
            return numbers
        behind = high + 1 + low
        return numbers, next_one[behind] - behind

    def take(self, count):
        """The next single bits."""
        if count > self.size - self.at:
            raise FormatError(self.offset, "its coded prefixes end early")
        self.at += count
        return self.flags[self.at - count : self.at]

    def end(self):
        if self.size - self.at >= 8 or self.flags[self.at :].any():
            raise FormatError(self.offset, "bits follow its coded prefixes")


class BitWriter:
    """Bits of arrays of numbers, one number after the other."""

    @staticmethod
    def rice(numbers, low, unary=None):
        """Numbers in Rice code, each optionally followed by a number in unary code."""
        if len(numbers) == 0:
            return b""
        high = (numbers >> np.uint64(low)).astype(np.int64)
        sizes = high + 1 + low + (0 if unary is None else unary + 1)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        flags = np.zeros(int(starts[-1]), np.uint8)
        starts = starts[:-1]
        flags[starts + high] = 1
        for bit in range(low):
            flags[starts + high + 1 + bit] = numbers >> np.uint64(bit) & 1
        if unary is not None:
            flags[starts + high + 1 + low + unary] = 1
        return np.packbits(flags, bitorder="little").tobytes()


def rice_bits(count, total):
    """The low bits of the Rice code for this many numbers with this sum."""
    bits = 0
    while 2.0 ** (bits + 10) * count < 493.0 * total:
        bits += 1
    return bits


def _behind(lengths):
    """The ones after prefixes of these lengths, each from 1 to 63."""
    return (np.uint64(1) << (64 - lengths).astype(np.uint64)) - np.uint64(1)


class Prefixes:
    """A sorted list of prefixes: a hash is in it if one of them begins the hash."""

    def __init__(self, bits, lengths):
        self.bits, self.lengths = bits, lengths
        self.tables = [(int(length), bits[lengths == length]) for length in np.unique(lengths)]

    @classmethod
    def read(cls, container, at, first):
        """Reads the prefixes whose numbers begin at a parameter and whose parts begin at a section."""
        container.expect(at + 7, len(container.sections))
        count = container.parameter(at, "number of prefixes", 0, 1 << 40)
        base = container.parameter(at + 1, "first bits", 1 if count else 0, MOST_BITS)
        lengths = container.parameter(at + 2, "bits of a prefix", 0, 8191 if count else 0)
        longest = lengths & 63
        usual, signed = longest - (lengths >> 6 & 63), lengths >> 12
        if longest < base or usual < min(longest, 1) or (usual < longest and not signed):
            raise container.error(at + 2, "bits of a prefix %d" % lengths)
        shorter = container.parameter(at + 3, "shorter prefixes", 0, count)
        exceptions = container.parameter(at + 4, "exceptions", 0, count)
        gap_bits = container.parameter(at + 5, "bits of gaps", 0, 57)
        exception_bits = container.parameter(at + 6, "bits of gaps", 0, 57)
        container.expect(at + 7, first + 2 + longest - base)
        parts = container.sections[first:]
        if count > 8 * len(parts[0]):
            raise container.error(at, "%d prefixes in %d bytes" % (count, len(parts[0])))
        readers = [BitReader(part, container.source(first + i).offset) for i, part in enumerate(parts)]
        gaps, coded, planes = readers[0], readers[1], readers[2:]

        numbers = gaps.rice(count, gap_bits)
        heads = np.cumsum(numbers, dtype=np.uint64)
        if count and (float(numbers.astype(np.float64).sum()) >= 2.0**64 or int(heads.max()) >> base):
            raise container.error(at, "a prefix has more than its first %d bits" % base)
        lengths = np.full(count, usual, np.int64)
        lengths[:shorter] -= 1
        if exceptions > 8 * len(parts[1]):
            raise container.error(at + 4, "%d exceptions in %d bytes" % (exceptions, len(parts[1])))
        skipped, missing = coded.rice(exceptions, exception_bits, unary_behind=True)
        longer = np.zeros(len(skipped), bool)
        if signed:
            longer, skipped = skipped & np.uint64(1) == 1, skipped >> np.uint64(1)
        ends = np.cumsum(skipped.astype(np.float64) + 1)
        if exceptions and ends[-1] > count:
            raise container.error(at + 4, "exceptions follow the last prefix")
        where = np.cumsum(skipped.astype(np.int64) + 1) - 1
        lengths[where] -= np.where(longer, -1, 1) * (1 + missing)
        if count and (int(lengths.min()) < 1 or int(lengths.max()) > longest):
            raise container.error(at + 4, "a prefix has an impossible number of bits")
        bits = heads << np.uint64(64 - base) if count else heads
        for j, plane in enumerate(planes):
            has = np.flatnonzero(lengths > base + j)
            bits[has] |= plane.take(len(has)).astype(np.uint64) << np.uint64(63 - base - j)
        for reader in readers:
            reader.end()
        made = cls(bits, lengths)
        made._require_form(container, at)
        return made

    def _require_form(self, container, at):
        """Checks that prefixes are sorted, have no bits after their last one and are in their only valid form."""
        bits, lengths = self.bits, self.lengths
        if len(bits):
            if (bits & _behind(lengths)).any():
                raise container.error(at, "a prefix has bits after its last one")
            same = bits[1:] == bits[:-1]
            if (bits[1:] < bits[:-1]).any() or (same & (lengths[1:] < lengths[:-1])).any():
                raise container.error(at, "its prefixes are not in their order")
        if self.parameters() != container.parameters[at : at + 7]:
            raise container.error(at, "its prefixes are not in their shortest form")

    def nested(self):
        """Whether a prefix is the beginning of the next one."""
        return bool(len(self) and ((self.bits[:-1] | _behind(self.lengths[:-1])) >= self.bits[1:]).any())

    def __len__(self):
        return len(self.bits)

    def contains_hashes(self, hashes):
        hit = np.zeros(len(hashes), bool)
        # sorted hashes walk through a table instead of jumping
        order = np.argsort(hashes)
        asked = hashes[order]
        for length, table in self.tables:
            wanted = asked & np.uint64((1 << 64) - (1 << 64 - length))
            at = np.minimum(np.searchsorted(table, wanted), len(table) - 1)
            hit[order] |= table[at] == wanted
        return hit

    @property
    def rate(self):
        return sum(len(table) * 2.0**-length for length, table in self.tables)

    def _usual(self):
        """The length that, with the next lower one, most prefixes have; the longest if not three quarters."""
        counts = np.bincount(self.lengths, minlength=2)
        usual, most = len(counts) - 1, len(self.lengths) // 4 * 3
        for length in range(usual, int(self.lengths.min()) - 1, -1):
            both = int(counts[length] + counts[length - 1])
            if both > most:
                usual, most = length, both
        return usual

    def parameters(self):
        """n, base, longest, shorter, exceptions, gap bits, exception bits."""
        count = len(self.bits)
        if count == 0:
            return [0] * 7
        longest, usual = int(self.lengths.max()), self._usual()
        base = min(longest, 4 + (count - 1).bit_length())
        shorter = int(np.argmax(self.lengths == usual))
        shorter = shorter if (self.lengths == usual).any() else count
        nominal = np.full(count, usual)
        nominal[:shorter] -= 1
        exceptions = int((self.lengths != nominal).sum())
        scores = np.cumsum((self.lengths == usual - 1).astype(np.int64) - (self.lengths == usual))
        best = max(0, int(scores.max()))
        fewer = count - int((self.lengths == usual).sum()) - best
        signed = usual < longest
        if fewer < exceptions // 2:
            signed = True
            shorter, exceptions = int(np.argmax(scores)) + 1 if best else 0, fewer
        return [
            count,
            base,
            longest | (longest - usual) << 6 | int(signed) << 12,
            shorter,
            exceptions,
            rice_bits(count, 2.0**base),
            rice_bits(exceptions, count * (2.0 if signed else 1.0)) if exceptions else 0,
        ]

    def parts(self):
        """The coded parts: gaps, lengths and planes."""
        count, base, lengths, shorter, exceptions, gap_bits, exception_bits = self.parameters()
        if count == 0:
            return [b"", b""]
        longest = lengths & 63
        usual, signed = longest - (lengths >> 6 & 63), lengths >> 12
        first = self.bits >> np.uint64(64 - base)
        gaps = np.diff(first, prepend=np.uint64(0))
        nominal = np.full(count, usual)
        nominal[:shorter] -= 1
        missing = nominal - self.lengths
        where = np.flatnonzero(missing)
        skipped = np.diff(where, prepend=-1) - 1
        if signed:
            skipped = 2 * skipped + (missing[where] < 0)
        parts = [
            BitWriter.rice(gaps, gap_bits),
            BitWriter.rice(skipped.astype(np.uint64), exception_bits, np.abs(missing[where]) - 1),
        ]
        for j in range(base, longest):
            has = self.lengths > j
            parts.append(np.packbits((self.bits[has] >> np.uint64(63 - j) & 1).astype(np.uint8), bitorder="little").tobytes())
        return parts


class FingerprintFilter(Filter):
    """A sorted list of prefixes, kind 11: a key is in it if one of them begins its hash."""

    kind = "fingerprint"

    def __init__(self, origin, fpp, removable, copies, prefixes, data=None):
        super().__init__(origin, data)
        self.fpp, self.removable, self.copies = fpp, removable, copies
        self._prefixes = prefixes

    @classmethod
    def _read(cls, container, data):
        container.expect(10, len(container.sections))
        fpp = container.probability(0, "fpp")
        if fpp < 1e-15:
            raise container.error(0, "fpp %s is below 1e-15" % fpp)
        removable = container.parameter(1, "removable", 0, 1)
        copies = container.parameter(2, "copies", 0, max(0, container.parameters[3]))
        prefixes = Prefixes.read(container, 3, 0)
        if not removable and prefixes.nested():
            raise container.error(3, "a prefix is the beginning of another one")
        return cls(container, fpp, removable, copies, prefixes, data[container.start : container.end])

    def contains_hashes(self, hashes):
        return self._prefixes.contains_hashes(hashes)

    def _own_info(self):
        payload = sum(len(part) for part in self._prefixes.parts())
        keys = max(0, len(self._prefixes) - self.copies)
        return {
            "bits": 8 * payload,
            "hashes": 1,
            "approximateKeys": float(keys),
            "expectedFpp": min(1.0, self._prefixes.rate),
            "keys": keys,
            "fpp": self.fpp,
            "removable": bool(self.removable),
            "prefixes": len(self._prefixes),
            "shortestPrefix": min((length for length, _ in self._prefixes.tables), default=0),
            "longestPrefix": max((length for length, _ in self._prefixes.tables), default=0),
            "payloadBytes": payload,
            "bitsPerKey": 8 * payload / keys if keys else None,
        }

    # ---- folding and writing

    def fold_to_fpp(self, fpp):
        """The prefixes cut to two neighboring lengths, so that the rate is as close to fpp as possible."""
        fpp = _rates.check_fpp(fpp)
        if fpp < 1e-15:
            raise ValueError("fpp %s is below 1e-15, the smallest rate that 64-bit hashes allow" % fpp)
        if self.removable:
            raise TypeError("a removable fingerprint filter is cut by `bellows fold --to-fpp`, not in Python")
        if self._prefixes.rate > fpp:
            raise ValueError("the filter already has fpp %s, and bits that were dropped cannot be restored: use an fpp of %s or more" % (self._prefixes.rate, self._prefixes.rate))
        counts = {length: len(table) for length, table in self._prefixes.tables}

        def rate_at(most):
            return sum(counts.get(length, 0) * 2.0 ** -min(most, length) for length in range(64))

        length = 1
        while rate_at(length) > fpp:
            length += 1
        shorter = int(math.ldexp(fpp - rate_at(length), length))
        return self._cut(fpp, length, shorter)

    def _cut(self, fpp, length, shorter):
        """Prefixes of `length` bits at most; the first runs of equal ones, about `shorter` prefixes
        in all, lose one bit more."""
        lengths = np.minimum(self._prefixes.lengths, length)
        cut = self._prefixes.bits & ~_behind(lengths)
        starts = np.ones(len(cut), bool)
        starts[1:] = (cut[1:] != cut[:-1]) | (lengths[1:] != lengths[:-1])
        ends = np.append(np.flatnonzero(starts)[1:], len(cut))
        counted = np.cumsum(lengths == length)
        run_end = ends[np.cumsum(starts) - 1] - 1
        lengths[(lengths == length) & (counted[run_end] <= shorter)] -= 1
        bits = self._prefixes.bits & ~_behind(lengths)
        order = np.lexsort((lengths, bits))
        bits, lengths = bits[order], lengths[order]
        kept = np.ones(len(bits), bool)
        if len(bits):
            # a prefix that begins with an earlier one is redundant
            ends = np.maximum.accumulate(bits | _behind(lengths))
            kept[1:] = bits[1:] > ends[:-1]
        copies = min(self.copies, int(kept.sum()))
        return FingerprintFilter(self._origin(), fpp, 0, copies, Prefixes(bits[kept], lengths[kept]))

    def _origin(self):
        from ._filters import _Origin

        return _Origin(self.scheme, self.key_type)

    def to_bytes(self):
        fpp = struct.unpack("<q", struct.pack("<d", self.fpp))[0]
        own = [fpp, int(self.removable), self.copies]
        return encode(11, self.scheme, self.key_type, own + self._prefixes.parameters(), self._prefixes.parts())

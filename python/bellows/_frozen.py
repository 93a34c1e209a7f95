"""Static filters of columns: kinds 12 and 20 (spec/FORMAT.md, "The columns of kind 12")."""

import copy
import math

import numpy as np

from . import _rates
from ._container import encode
from ._filters import Filter
from ._hashing import CHUNK, MASK, STATE_STEP, next_state, product


class _Columns(Filter):
    """Columns of a static set: what a file and a part of one have in common."""

    def _read_frame(self, container, at, thresholds):
        """Reads keys, bits of a hash, attempt and layers; returns the number of groups."""
        if len(container.parameters) < at + 3:
            raise container.place_error("parameters", "%d parameters are too few" % len(container.parameters))
        container.expect(len(container.parameters), 2)
        groups = container.parameters[at + 3 :]
        self.keys = container.parameter(at, "keys", 0, 1 << 40)
        self._hash_bits = container.parameter(at + 1, "bits of a hash", 1, 64)
        attempt = container.parameter(at + 2, "attempt", 0, (1 << 31) - 1)
        if len(groups) > 60 or any(not 0 < count <= 1 << 40 for count in groups) or (self.keys > 0) != bool(groups):
            raise container.error(at, "%d keys in %d layers" % (self.keys, len(groups)))
        self._groups = sum(groups)
        sizes = [(-(-64 * count // 128) + 1) // 2 if thresholds else 0 for count in groups[:-1]]
        bytes_ = np.frombuffer(container.section(0, sum(sizes)), np.uint8)
        self._layers, first, begin = [], 0, 0
        for i, count in enumerate(groups):
            last = i == len(groups) - 1
            size = 0 if last else sizes[i]
            seed = i + 1 + (attempt << 32) if last else i
            self._layers.append((seed, first, 64 * count - 63, None if last else bytes_[begin : begin + size]))
            first += count
            begin += size

    def _rung(self, container, at, most):
        """Columns and leading groups, at most another pair."""
        columns = container.parameter(at, "columns", 0, 64)
        lead = container.parameter(at + 1, "leading groups", 0, max(0, self._groups - 1))
        if (columns, lead) > most or (columns == 64 and lead):
            raise container.error(at, "%d columns and %d more are above %d and %d" % (columns, lead, *most))
        return columns, lead

    def _words_between(self, container, low, high):
        words = _place(self._groups, high) - _place(self._groups, low)
        found = np.frombuffer(container.section(1, 8 * max(1, words)), "<u8")
        if words == 0 and found[0]:
            raise container.error(0, "a section without columns contains ones")
        return found

class FrozenFilter(_Columns):
    """A set that does not change; a key is in it if it passes all columns of its rows."""

    kind = "frozen"

    @classmethod
    def _read(cls, container, data):
        made = cls(container, data[container.start : container.end])
        made._read_frame(container, 4, True)
        made._own = made._rung(container, 0, (64, 0))
        made._sent = made._rung(container, 2, made._own)
        made._words = made._words_between(container, (0, 0), made._own)
        made._numbers = container.parameters[4:]
        made._thresholds = bytes(container.sections[0])
        return made

    def contains_hashes(self, hashes):
        answers = np.zeros(len(hashes), bool)
        for at in range(0, len(hashes), CHUNK):
            answers[at : at + CHUNK] = self._chunk(hashes[at : at + CHUNK])
        return answers

    def _chunk(self, hashes):
        answers = np.zeros(len(hashes), bool)
        h = hashes & np.uint64(MASK >> (64 - self._hash_bits) << (64 - self._hash_bits))
        left = np.arange(len(hashes))
        for seed, first, starts, thresholds in self._layers:
            if seed:
                h = next_state(next_state(h ^ np.uint64(seed)))
            high, low = product(h >> 1, np.uint64(starts))
            start = (high << 1 | low >> 63).astype(np.int64)
            stays = np.ones(len(h), bool)
            if thresholds is not None:
                block = start >> 7
                threshold = thresholds[block >> 1].astype(np.int64) >> (block & 1) * 4 & 15
                stays = 15 * (start & 127) >= 128 * threshold
            answers[left[stays]] = self._matches(first + (start[stays] >> 6), (start[stays] & 63).astype(np.uint64), h[stays])
            left, h = left[~stays], h[~stays]
        return answers

    def _matches(self, group, offset, h):
        mixed = next_state(next_state(h))
        rows = mixed | np.uint64(1)
        low = rows << offset
        high = np.where(offset == 0, 0, rows >> (np.uint64(64) - np.maximum(offset, 1)))
        checks = mixed * STATE_STEP & MASK
        last = np.minimum(group + (high != 0), self._groups - 1)
        columns = self._own[0] + (last < self._own[1])
        here, there = _place(group, self._own), _place(last, self._own)
        hit = np.ones(len(h), bool)
        for column in range(self._own[0] + (self._own[1] > 0)):
            asked = columns > column
            one = self._words[np.minimum(here + column, len(self._words) - 1)] & low
            other = self._words[np.minimum(there + column, len(self._words) - 1)] & high
            odd = (_rates.popcounts(one) + _rates.popcounts(other)) & 1
            hit &= ~asked | (odd == (checks >> np.uint64(63 - column) & 1))
        return hit

    # ---- rates and folding

    def _column_rate(self, rung):
        """The probability that an absent key passes the columns of a rung."""
        columns, lead = rung
        passing, reaching = 0.0, 1.0
        for _, first, starts, thresholds in self._layers:
            kept = _kept(thresholds, starts)
            leading = min(max(0, (lead - first - 1) * 64 + 1), starts)
            passing += reaching / starts * (kept - _kept(thresholds, leading) / 2)
            reaching *= 1 - kept / starts
        return math.ldexp(min(1.0, passing), -columns)

    def _rate(self, rung):
        if self.keys == 0:
            return 0.0
        rate = self._column_rate(rung)
        return rate + (1 - rate) * min(1.0, math.ldexp(float(self.keys), -self._hash_bits))

    def _bits(self, rung):
        return 64 * _place(self._groups, rung) + 8 * len(self._thresholds)

    def fold_to_fpp(self, fpp):
        """The fewest columns with at most this rate: bit for bit the filter that is built with them."""
        fpp = _rates.check_fpp(fpp)
        rate = self._rate(self._own)
        if fpp < rate:
            raise ValueError("the filter already has fpp %s, and columns that were dropped cannot be restored: use an fpp of %s or more" % (rate, rate))
        columns = 0
        if self.keys and self._rate((0, 0)) > fpp:
            while self._rate((columns + 1, 0)) > fpp:
                columns += 1
            low, high = 0, self._groups
            while high - low > 1:
                middle = (low + high) // 2
                if self._rate((columns, middle)) <= fpp:
                    high = middle
                else:
                    low = middle
            rung = (columns + 1, 0) if high == self._groups else (columns, high)
        else:
            rung = (0, 0)
        return self._folded(min(rung, self._own))

    def _folded(self, rung):
        groups = np.arange(self._groups)
        counts = rung[0] + (groups < rung[1])
        at = np.repeat(_place(groups, self._own) - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(int(counts.sum()))
        words = self._words[at] if len(at) else np.zeros(1, "<u8")
        numbers = [*rung, *min(self._sent, rung), *self._numbers]
        data = encode(12, self.scheme, self.key_type, numbers, [self._thresholds, words.tobytes()])
        folded = copy.copy(self)
        folded._own, folded._sent, folded._words = rung, min(self._sent, rung), words
        folded._data = np.frombuffer(data, np.uint8)
        return folded

    def _own_info(self):
        own = self._own
        steps = [(columns, 0) for columns in range(1, own[0] + 1)] + ([own] if own[1] or not own[0] else [])
        mean = own[0] + (own[1] / self._groups if self._groups else 0)
        return {
            "bits": self._bits(own),
            "hashes": 1,
            "approximateKeys": float(self.keys),
            "expectedFpp": self._rate(own),
            "keys": self.keys,
            "columns": mean,
            "layers": len(self._layers),
            "bitsPerKey": self._bits(own) / self.keys if self.keys else None,
            "hashBits": self._hash_bits,
            "sentFpp": None if self._sent == (0, 0) else self._rate(self._sent),
            "ladder": [{"bits": self._bits(step), "expectedFpp": self._rate(step)} for step in steps],
        }


class FrozenPart(FrozenFilter):
    """Kind 20: some of the columns. The first part answers queries; later ones lower its rate."""

    kind = "frozen-part"

    @classmethod
    def _read(cls, container, data):
        made = cls(container, data[container.start : container.end])
        first = container.parameters[3:5] == [0, 0]
        made._read_frame(container, 7, first)
        made._whole = made._rung(container, 1, (64, 0))
        made._own = made._rung(container, 5, made._whole)
        made._low = made._rung(container, 3, made._own)
        made._words = made._words_between(container, made._low, made._own)
        made._state = container.parameters[0]
        return made

    def contains_hashes(self, hashes):
        if self._low != (0, 0):
            raise TypeError("this part holds later columns: receive it into the first part with `bellows receive`")
        return super().contains_hashes(hashes)

    def fold_to_fpp(self, fpp):
        raise TypeError("a part of a frozen filter does not fold: receive it first")

    def _own_info(self):
        def mean(rung):
            return rung[0] + (rung[1] / self._groups if self._groups else 0)

        return {
            "approximateKeys": float(self.keys),
            "keys": self.keys,
            "fromColumns": mean(self._low),
            "columns": mean(self._own),
            "isWhole": self._low == (0, 0) and self._own == self._whole,
            "state": "%x" % (self._state & MASK),
        }


def _place(group, rung):
    """The words of all groups before this one."""
    return group * rung[0] + np.minimum(group, rung[1]) if isinstance(group, np.ndarray) else group * rung[0] + min(group, rung[1])


def _kept(thresholds, starts):
    """How many of the first starts of a layer are not bumped."""
    if thresholds is None:
        return starts
    blocks = np.arange(-(-starts // 128))
    limits = thresholds[blocks >> 1].astype(np.int64) >> (blocks & 1) * 4 & 15
    bumped = -(-128 * limits // 15)
    sizes = np.minimum(128, starts - 128 * blocks)
    return int(np.maximum(0, sizes - bumped).sum())

"""Static filters of columns: kind 12 (spec/FORMAT.md, "The columns of kind 12")."""

import numpy as np

from . import _rates
from ._filters import Filter
from ._hashing import CHUNK, MASK, STATE_STEP, next_state, product


class FrozenFilter(Filter):
    """A set that does not change; a key is in it if it passes all columns of its rows."""

    kind = "frozen"

    @classmethod
    def _read(cls, container, data):
        if len(container.parameters) < 7:
            raise container.place_error("parameters", "%d parameters are too few" % len(container.parameters))
        container.expect(len(container.parameters), 2)
        made = cls(container, data[container.start : container.end])
        groups = container.parameters[7:]
        total = sum(groups)
        made._columns = container.parameter(0, "columns", 0, 64)
        made._lead = container.parameter(1, "lead", 0, max(0, total - 1))
        made.keys = container.parameter(4, "keys", 0, 1 << 40)
        made._hash_bits = container.parameter(5, "bits of a hash", 1, 64)
        attempt = container.parameter(6, "attempt", 0, (1 << 31) - 1)
        if container.parameters[2:4] > container.parameters[:2] or min(container.parameters[2:4]) < 0:
            raise container.error(2, "more was sent than there is")
        if len(groups) > 60 or any(not 0 < count <= 1 << 40 for count in groups) or (made.keys > 0) != bool(groups):
            raise container.error(4, "%d keys in %d layers" % (made.keys, len(groups)))
        sizes = [(-(-64 * count // 128) + 1) // 2 for count in groups[:-1]]
        thresholds = np.frombuffer(container.section(0, sum(sizes)), np.uint8)
        words = made._place(total)
        made._words = np.frombuffer(container.section(1, 8 * max(1, words)), "<u8")
        made._layers, first, at = [], 0, 0
        for i, count in enumerate(groups):
            last = i == len(groups) - 1
            size = 0 if last else sizes[i]
            seed = i + 1 + (attempt << 32) if last else i
            made._layers.append((seed, first, 64 * count - 63, None if last else thresholds[at : at + size]))
            first += count
            at += size
        made._groups = total
        return made

    def _place(self, group):
        return group * self._columns + (min(group, self._lead) if isinstance(group, int) else np.minimum(group, self._lead))

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
        columns = self._columns + (last < self._lead)
        here, there = self._place(group), self._place(last)
        hit = np.ones(len(h), bool)
        for column in range(self._columns + (self._lead > 0)):
            asked = columns > column
            one = self._words[np.minimum(here + column, len(self._words) - 1)] & low
            other = self._words[np.minimum(there + column, len(self._words) - 1)] & high
            odd = (_rates.popcounts(one ^ np.uint64(0)) + _rates.popcounts(other)) & 1
            hit &= ~asked | (odd == (checks >> np.uint64(63 - column) & 1))
        return hit

    def _own_info(self):
        return {"approximateKeys": float(self.keys), "keys": self.keys}

"""Filters whose keys expire: kinds 13 and 14 (spec/FORMAT.md, "Windows")."""

import copy
import datetime
import math

import numpy as np

from . import _rates
from ._filters import Filter, shape_info
from ._hashing import CHUNK, blocked_masks
from ._prefixes import BitReader, Prefixes

NO_TIME = -(1 << 63)
MOST_MILLIS = 1 << 51
BLOCK_BITS = 512


class _Times:
    """The grid of generations and the clock, in milliseconds since 1970."""

    def __init__(self, container, at):
        self.window = container.parameter(at, "window", 1, MOST_MILLIS)
        self.generations = container.parameter(at + 1, "generations", 3, 47)
        if self.generations not in (3, 7, 15, 31, 47) or self.window < self.generations:
            raise container.error(at + 1, "%d generations in %d ms" % (self.generations, self.window))
        self.now = container.parameters[at + 2]
        if self.now != NO_TIME:
            container.parameter(at + 2, "clock", -MOST_MILLIS, MOST_MILLIS)
        container.parameter(at + 3, "rules", 0, 7)
        self.late = container.parameter(at + 4, "late keys", 0, (1 << 63) - 1)
        self.fpp = container.probability(at + 5, "fpp")

    def generation(self, millis):
        return millis * self.generations // self.window

    def start(self, generation):
        """The first millisecond of a generation."""
        return -(-generation * self.window // self.generations)


class WindowFilter(Filter):
    """Keys with times; those older than the window are not found once the clock has passed them.

    The clock is that of the file. `at(time)` answers as it would after the clock has moved on.
    """

    _times = None

    def at(self, time):
        """This window with its clock at a later time: a datetime, or seconds since 1970."""
        if isinstance(time, datetime.datetime):
            if time.tzinfo is None:
                raise ValueError("the time %s has no time zone" % time)
            time = time.timestamp()
        millis = math.floor(time * 1000)
        if not -MOST_MILLIS <= millis <= MOST_MILLIS:
            raise ValueError("the time %s is beyond the years that a window has" % time)
        later = copy.copy(self)
        later._times = copy.copy(self._times)
        if self._times.now != NO_TIME and millis > self._times.now:
            later._times.now = millis
            later._data = None
            moved = later._times.generation(millis) - self._times.generation(self._times.now)
            later._expire(min(moved, self._times.generations + 1))
        return later

    def _expire(self, generations):
        """Drops this many generations, the oldest first."""
        raise NotImplementedError

    def to_bytes(self):
        if self._data is None:
            raise TypeError("a window at another time than that of its file is not written in Python")
        return super().to_bytes()

    def info(self):
        info = super().info() if self._data is not None else {"kind": self.kind, **self._own_info()}
        times = self._times
        info.update(
            window=_duration(times.window),
            fpp=times.fpp,
            now=None if times.now == NO_TIME else _instant(times.now),
            late=times.late,
        )
        return info

    def _generations(self, keys, rates):
        """The fields of all generations, the oldest first."""
        times = self._times
        if times.now == NO_TIME:
            return []
        first = times.generation(times.now) - times.generations
        return [
            {
                "from": _instant(times.start(first + i)),
                "to": _instant(times.start(first + i + 1)),
                "keys": keys[i],
                "expectedFpp": _rates.with_hash_floor(rates[i], keys[i]),
            }
            for i in range(times.generations + 1)
        ]


def _lane_words(section, lanes):
    """The words of a ring, one column for each lane: bit p of a lane is bit p * lanes + lane of the ring."""
    data = np.frombuffer(section, np.uint8)
    words = np.empty((len(data) // lanes // 8, lanes), np.uint64)
    step = 1 << 12
    for at in range(0, len(words), step):
        rows = np.unpackbits(data[at * lanes * 8 : (at + step) * lanes * 8], bitorder="little").reshape(-1, lanes)
        packed = np.packbits(rows, axis=0, bitorder="little").T
        words[at : at + step] = np.ascontiguousarray(packed).view("<u8").T
    return words


class RingWindow(WindowFilter):
    """Kind 13: one blocked filter for each generation; a key is in the window if any has it."""

    kind = "window"

    @classmethod
    def _read(cls, container, data):
        if len(container.parameters) < 10:
            raise container.place_error("parameters", "%d parameters are too few" % len(container.parameters))
        generations = container.parameter(5, "generations", 3, 31)
        lanes = generations + 1
        container.expect(13 + lanes, 1)
        container.parameter(0, "layout", 1, 1)
        made = cls(container, data[container.start : container.end])
        made._times = times = _Times(container, 4)
        bits = container.parameter(1, "bits", 1, 1 << 40)
        hashes = container.parameter(2, "hashes", 1, 48)
        words = container.parameter(3, "words of the pattern", 1, 8)
        if words not in (1, 2, 4, 8) or hashes % words or hashes // words > 6:
            raise container.error(3, "%d hashes in %d words are not a block pattern" % (hashes, words))
        if bits % BLOCK_BITS:
            raise container.error(1, "BLOCKED sizes are multiples of 512 bits, not %d" % bits)
        container.parameter(10, "keys", 1, (1 << 63) - 1)
        container.parameter(11, "keys per generation", 1, (1 << 63) - 1)
        growth = container.real(12, "growth per generation")
        if container.parameters[12] and not 1 < growth <= 1 << 20:
            raise container.error(12, "a growth per generation of %s" % growth)
        blocks = bits // BLOCK_BITS
        made._filled = [container.parameter(13 + i, "blocks of a generation", 1, blocks) for i in range(lanes)]
        for i, filled in enumerate(made._filled):
            if blocks % filled or (growth == 0 and filled != blocks):
                raise container.error(13 + i, "a generation of %d blocks in a ring of %d" % (filled, blocks))
        made._layout, made.bits = _rates.Blocked(words, hashes // words), bits
        made._words = _lane_words(container.section(0, bits // 8 * lanes), lanes)
        if times.now == NO_TIME and made._words.any():
            raise container.error(6, "keys where the clock is not set")
        newest = 0 if times.now == NO_TIME else times.generation(times.now)
        made._live = [(newest - generations + i) % lanes for i in range(lanes)]
        return made

    def _expire(self, generations):
        self._live = self._live[generations:]

    def contains_hashes(self, hashes):
        answers = np.zeros(len(hashes), bool)
        for at in range(0, len(hashes), CHUNK):
            part = hashes[at : at + CHUNK]
            hit = np.ones((len(part), len(self._live)), bool)
            for word, mask in blocked_masks(part, self.bits, *self._layout.pattern):
                found = self._words[word.view(np.int64)][:, self._live]
                hit &= found & mask[:, None] == mask[:, None]
            answers[at : at + CHUNK] = hit.any(axis=1)
        return answers

    def _own_info(self):
        lanes = self._times.generations + 1
        keys, rates, ones = [], [], 0
        blocks = self.bits // BLOCK_BITS
        for lane in self._live:
            words = np.ascontiguousarray(self._words[:, lane])
            count = _rates.ones_of(words)
            filled = self._filled[lane]
            keys.append(self._layout.keys_from_ones(filled * BLOCK_BITS, min(count * filled // blocks, filled * BLOCK_BITS - 1)))
            rates.append(self._layout.rate(words, self.bits))
            ones += count
        # generations that have begun since are empty
        fresh = [0.0] * (lanes - len(self._live))
        keys, rates = keys + fresh, rates + fresh
        info = shape_info(self._layout, self.bits * lanes)
        info.update(
            ones=ones,
            fill=ones / (self.bits * lanes),
            ladder=None,
            generations=self._generations(keys, rates),
        )
        return info


class PrefixWindow(WindowFilter):
    """Kind 14: prefixes of hashes, each with the age of its generation."""

    kind = "window-prefixes"

    @classmethod
    def _read(cls, container, data):
        container.expect(14, len(container.sections))
        made = cls(container, data[container.start : container.end])
        made._times = times = _Times(container, 0)
        if not container.sections:
            raise container.place_error("sections", "a window of prefixes without sections")
        made.copies = container.parameter(6, "copies", 0, max(0, container.parameters[7]))
        made._prefixes = prefixes = Prefixes.read(container, 7, 1)
        if times.now == NO_TIME and len(prefixes):
            raise container.error(2, "keys where the clock is not set")
        width = times.generations.bit_length()
        ages = BitReader(container.sections[0], container.source(0).offset)
        flags = ages.take(width * len(prefixes)).reshape(-1, width)
        ages.end()
        made._ages = (flags.astype(np.int64) << np.arange(width)).sum(axis=1)
        return made

    def _expire(self, generations):
        ages = self._ages + generations
        live = ages <= self._times.generations
        self._prefixes = Prefixes(self._prefixes.bits[live], self._prefixes.lengths[live])
        self._ages = ages[live]

    def contains_hashes(self, hashes):
        return self._prefixes.contains_hashes(hashes)

    def _own_info(self):
        lanes = self._times.generations + 1
        chances = 2.0 ** -self._prefixes.lengths
        keys = np.bincount(self._ages, minlength=lanes)[::-1].astype(float).tolist()
        rates = np.bincount(self._ages, weights=chances, minlength=lanes)[::-1].tolist()
        return {"generations": self._generations(keys, [min(1.0, rate) for rate in rates])}


def _instant(millis):
    """A time as Java prints it."""
    seconds, rest = divmod(millis, 1000)
    try:
        text = (datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)).isoformat()
    except OverflowError:
        return "%d ms" % millis
    return "%s%sZ" % (text, ".%03d" % rest if rest else "")


def _duration(millis):
    """A duration as Java prints it."""
    seconds, rest = divmod(millis, 1000)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    text = ("%dH" % hours if hours else "") + ("%dM" % minutes if minutes else "")
    if seconds or rest:
        text += "%d%s" % (seconds, (".%03d" % rest).rstrip("0") if rest else "") + "S"
    return "PT" + text

"""Numbers and texts under attributes: kind 9 (spec/HASHING.md, section 7)."""

import decimal
import struct

import numpy as np

from . import _rates
from ._bits import test_one
from ._container import FormatError
from ._filters import Filter, read_shape, shape_info
from ._hashing import MASK, Scheme, classic_positions

TEXT = 255

# Dyadic intervals, a scheme of early versions.
REMOVED_SCHEME = 4
MOST_ATTRIBUTES = 4096

# The maximum number of divisions of a query; more would take too long.
MOST_STEPS = 1 << 24


class RangeFilter(Filter):
    """The numbers of some attributes and the texts of others.

    >>> ("age", 41) in profile
    >>> profile.contains_range("age", 40, 45)       # every number of the range
    >>> profile.intersects_range("age", 40, 45)     # some number of the range
    """

    kind = "range"

    @classmethod
    def _read(cls, container, data):
        layout, bits = read_shape(container, 1, 2, classic=True)
        made = cls(container, data[container.start : container.end])
        made._layout, made.bits, made.hashes = layout, bits, layout.hashes
        schema = bytes(container.sections[0])
        if Scheme.seeded().hash(schema) != container.parameters[4] & MASK:
            raise container.error(4, "the schema hash does not match")
        made._salts = {}
        made._schema_hash = container.parameters[4] & MASK
        made._words = container.words(1, bits)
        made._read_schema(container.source(0))
        return made

    def _read_schema(self, source):
        bits, hashes, attributes, texts = source.fields("QIIi")
        if (bits, hashes) != (self.bits, self.hashes):
            raise FormatError(source.offset, "a schema of %d bits and %d hashes" % (bits, hashes))
        if texts < -1 or attributes + max(0, texts) > MOST_ATTRIBUTES:
            raise FormatError(source.offset, "a schema of %d attributes and %d texts" % (attributes, texts))
        self.attributes, names = {}, []
        for _ in range(attributes):
            scheme, open_, scale, length, *shape = source.fields("BBBBIIIqqq")
            name = _name(source, length)
            if scheme == REMOVED_SCHEME:
                raise FormatError(source.offset, "range scheme 4 (dyadic) was removed: build the filter again with another scheme")
            if scheme > REMOVED_SCHEME:
                raise FormatError(source.offset, "unknown range scheme %d" % scheme)
            attribute = _Attribute(self, name, scheme, open_, scale, *shape)
            if not attribute.is_possible():
                raise FormatError(source.offset, "attribute %r is not possible" % name)
            self.attributes[name] = attribute
            names.append(name.encode())
        # None: every name that is not numeric holds text
        self.texts = None if texts < 0 else [_name(source, source.take(1)[0]) for _ in range(texts)]
        source.end()
        others = [name.encode() for name in self.texts or []]
        if names != sorted(names) or others != sorted(others) or len(set(names + others)) < len(names) + len(others):
            raise FormatError(source.offset, "the names of a schema are not sorted, or not distinct")

    # ---- queries

    def __contains__(self, question):
        name, value = question
        return self.contains_number(name, value) if name in self.attributes else self.contains_text(name, value)

    def contains_many(self, questions):
        """Whether each pair of a name and a number or text may be in it."""
        return np.array([question in self for question in questions], bool)

    def contains_hashes(self, hashes):
        raise TypeError("a range filter is queried with a name and a value, not with hashes")

    def contains_text(self, name, text):
        """Whether a text may be under a name."""
        if name in self.attributes or not (self.texts is None or name in self.texts):
            raise ValueError("no text attribute %r: there are %s" % (name, self.texts or "all names but numeric ones"))
        return self._has(name, TEXT, text, self.hashes)

    def contains_number(self, name, number):
        """Whether a number may be under a name."""
        return self.contains_range(name, number, number)

    def contains_range(self, name, low, high):
        """Whether every number from low to high may be under a name."""
        attribute, low, high = self._range(name, low, high)
        return attribute.clipped(low, high) == (low, high) and attribute.has_all(low, high)

    def intersects_range(self, name, low, high):
        """Whether some number from low to high may be under a name."""
        attribute, low, high = self._range(name, low, high)
        low, high = attribute.clipped(low, high)
        return low <= high and attribute.has_some(low, high)

    def _range(self, name, low, high):
        if name not in self.attributes:
            raise ValueError("no numeric attribute %r: there are %s" % (name, sorted(self.attributes)))
        attribute = self.attributes[name]
        low, high = attribute.units(low), attribute.units(high)
        if low > high:
            raise ValueError("a range from %s to %s is empty: swap its ends" % (low, high))
        return attribute, low, high

    def _has(self, name, tag, value, hashes):
        """Whether the first positions of a value under an attribute's name are set."""
        salt = self._salts.get((name, tag))
        if salt is None:
            encoded = name.encode()
            salt = self._salts[name, tag] = self.scheme.hash(encoded + struct.pack("<IB", len(encoded), tag))
        return test_one(self._words, classic_positions(self.scheme.hash(value) ^ salt, self.bits, hashes))

    def _own_info(self):
        ones = _rates.ones_of(self._words)
        info = shape_info(self._layout, self.bits)
        info.update(
            ones=ones,
            fill=ones / self.bits,
            schema="%016x" % self._schema_hash,
            texts=[] if self.texts is None else list(self.texts),
            open=self.texts is None,
        )
        return info


def _name(source, length):
    try:
        name = bytes(source.take(int(length), "a name")).decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError(source.offset, "a name that is not UTF-8") from None
    if not name:
        raise FormatError(source.offset, "an empty name")
    return name


class _Attribute:
    """The numbers under one name, as integers in units of the last decimal, in divisions that own positions."""

    def __init__(self, filter_, name, scheme, open_, scale, hashes, shift, reserved, divide, low, high):
        self.filter, self.name, self.scheme, self.open, self.scale = filter_, name, scheme, open_, scale
        self.hashes, self.shift, self.reserved, self.divide = hashes, shift, reserved, divide
        self.low, self.high = low, high

    def is_possible(self):
        overlaps = self.scheme in (2, 3)
        return (
            self.open in (0, 1)
            and self.scale <= 18
            and 1 <= self.hashes <= 1 << 16
            and 1 <= self.shift <= self.hashes
            and (overlaps or self.shift == self.hashes)
            and self.reserved == 0
            and self.divide >= 1
            and (self.scheme in (1, 3) or self.divide == 1)
            and self.low <= self.high
            and not (self.open and self.low)
        )

    def units(self, number):
        value = decimal.Decimal(str(number) if isinstance(number, float) else number)
        if not value.is_finite():
            raise ValueError("%s is not a number that can be put" % number)
        scaled = value.scaleb(self.scale)
        if scaled != int(scaled):
            raise ValueError("%s has more than %d decimals: round it first" % (number, self.scale))
        if not -(1 << 63) <= int(scaled) < 1 << 63:
            raise ValueError("%s has more than 64 bits in units of its last decimal" % number)
        return int(scaled)

    def clipped(self, low, high):
        """The part of a range that is in the domain."""
        return (low, high) if self.open else (max(low, self.low), min(high, self.high))

    def _has(self, value, hashes):
        return self.filter._has(self.name, 0, (value + (1 << 63)) % (1 << 64) - (1 << 63), hashes)

    def _divisions(self, low, high):
        if high // self.divide - low // self.divide >= MOST_STEPS:
            raise ValueError("the range has too many parts: query a smaller one")
        return range(low // self.divide, high // self.divide + 1)

    def _has_division(self, division):
        """Whether all positions of a division are set: `shift` of each value, fewer of the last."""
        return all(
            self._has(division + t // self.shift, min(self.shift, self.hashes - t))
            for t in range(0, self.hashes, self.shift)
        )

    def has_all(self, low, high):
        return all(self._has_division(division) for division in self._divisions(low, high))

    def has_some(self, low, high):
        return any(self._has_division(division) for division in self._divisions(low, high))

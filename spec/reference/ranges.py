"""Kind 9, numbers and texts under attributes: HASHING.md, section 7, and FORMAT.md, "The schema of kind 9"."""

import decimal
import struct

from container import Bytes, has_classic, require
from hashing import MASK, xxh3_64

TEXT = 255


class RangeFilter:
    """A filter of kind 9: the numbers of some attributes and the texts of others."""

    def __init__(self, container):
        self.container = container
        layout, self.bits, self.hashes, words, schema_hash = container.parameters
        require(layout == 0 and words == 0, "layout")
        require(xxh3_64(container.sections[0], 0) == schema_hash & MASK, "schema hash")
        source = Bytes(container.sections[1])
        self.words = source.words(self.bits)
        source.end()
        self.read_schema(Bytes(container.sections[0]))

    def read_schema(self, source):
        bits, hashes, attributes, texts = source.fields("QIIi")
        require((bits, hashes) == (self.bits, self.hashes), "sizes of the schema")
        self.attributes = {}
        for _ in range(attributes):
            scheme, open_, scale, length, *shape = source.fields("BBBBIIIqqq")
            name = source.take(length).decode()
            require(scheme < 4, "scheme of an attribute")
            self.attributes[name] = Attribute(self, name, open_, scale, *shape)
        # None: every name that is not numeric holds text
        self.texts = None if texts < 0 else [source.take(source.take(1)[0]).decode() for _ in range(texts)]
        source.end()

    def has(self, name, tag, value, hashes):
        """Whether the first positions of a value under an attribute's name are set."""
        name = name.encode()
        h = self.container.hash(value) ^ self.container.hash(name + struct.pack("<IB", len(name), tag))
        return has_classic(self.words, h, self.bits, hashes)

    def numeric(self, name):
        if name not in self.attributes:
            raise ValueError("no numeric attribute %r: there are %s" % (name, sorted(self.attributes)))
        return self.attributes[name]

    def might_contain_text(self, name, text):
        if name in self.attributes or not (self.texts is None or name in self.texts):
            raise ValueError("no text attribute %r: there are %s" % (name, self.texts or "all but numeric ones"))
        return self.has(name, TEXT, text, self.hashes)

    def might_contain_number(self, name, number):
        return self.might_contain_range(name, number, number)

    def might_contain_range(self, name, low, high):
        """Whether every number from low to high may be in it."""
        attribute = self.numeric(name)
        low, high = attribute.units(low), attribute.units(high)
        return attribute.clipped(low, high) == (low, high) and attribute.has_all(low, high)

    def might_intersect(self, name, low, high):
        """Whether some number from low to high may be in it."""
        attribute = self.numeric(name)
        low, high = attribute.clipped(attribute.units(low), attribute.units(high))
        return low <= high and attribute.has_some(low, high)


class Attribute:
    """The numbers under one name, as integers in units of the last decimal, in divisions that own positions."""

    def __init__(self, filter_, name, open_, scale, hashes, shift, reserved, divide, low, high):
        require(reserved == 0, "reserved field of an attribute")
        self.filter, self.name, self.open, self.scale = filter_, name, open_, scale
        self.hashes, self.shift, self.divide = hashes, shift, divide
        self.low, self.high = low, high

    def units(self, number):
        scaled = decimal.Decimal(number).scaleb(self.scale)
        if scaled != int(scaled):
            raise ValueError("%s has more than %d decimals: round it first" % (number, self.scale))
        return int(scaled)

    def clipped(self, low, high):
        """The part of a range that is in the domain."""
        return (low, high) if self.open else (max(low, self.low), min(high, self.high))

    def divisions(self, low, high):
        return range(low // self.divide, high // self.divide + 1)

    def has_division(self, division):
        """Whether all positions of a division are set: `shift` of each value, fewer of the last."""
        return all(
            self.filter.has(self.name, 0, division + t // self.shift, min(self.shift, self.hashes - t))
            for t in range(0, self.hashes, self.shift)
        )

    def has_all(self, low, high):
        return all(self.has_division(division) for division in self.divisions(low, high))

    def has_some(self, low, high):
        return any(self.has_division(division) for division in self.divisions(low, high))

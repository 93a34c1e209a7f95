"""Kind 18, what changed in a durable filter: FORMAT.md, "The delta of kind 18"."""

import struct

from container import Container, require

BUCKETS = 512
FULL = 3


class Chunk:
    """One chunk of an image of kind 11: its prefixes as pairs of length and bits."""

    def __init__(self, address, depth, width, packed, spilled, words):
        self.depth = depth
        bits = sum(word << 64 * i for i, word in enumerate(words))
        self.prefixes = set()
        at = 17 * 64
        spill = 64 * len(words)
        seen = 0
        for bucket in range(BUCKETS):
            group = 1 + 2 * (bucket // 64)
            count = (words[group] >> bucket % 64 & 1) + 2 * (words[group + 1] >> bucket % 64 & 1)
            for _ in range(count):
                self.add(address, bucket, bits >> at & (1 << width) - 1, width)
                at += width
            seen += count
            while spilled:
                entry = bits >> spill - width - 9 & (1 << width + 9) - 1
                if entry >> width != bucket:
                    break
                require(count == FULL, "a spilled slot")
                self.add(address, bucket, entry & (1 << width) - 1, width)
                spill -= width + 9
                spilled -= 1
        require(seen == packed and spilled == 0, "the slots of a chunk")

    def add(self, address, bucket, slot, width):
        require(slot, "a slot is empty")
        zeros = (slot & -slot).bit_length() - 1
        beyond = width - 1 - zeros
        length = self.depth + 9 + beyond
        first = address >> 64 - self.depth if self.depth else 0
        self.prefixes.add((length, (first << 9 | bucket) << beyond | slot >> zeros + 1))


def image_prefixes(data):
    """The prefixes of an image of kind 11."""
    prefixes = set()
    address = at = 0
    while True:
        its, count, depth, width, tags, zero, packed, spilled = struct.unpack_from("<QIBBBBII", data, at)
        require(its == address and tags == 0 and zero == 0, "the opening of a chunk")
        words = struct.unpack_from("<%dQ" % count, data, at + 24)
        chunk = Chunk(address, depth, width, packed, spilled, words)
        prefixes |= chunk.prefixes
        at += 24 + 8 * count
        address = (address + (1 << 64 - chunk.depth)) % (1 << 64)
        if address == 0:
            break
    require(at + 12 == len(data), "bytes follow the image")
    return prefixes


class Delta:
    """The hashes that were put between two versions, or the content at one of them."""

    def __init__(self, container):
        self.container = container
        form, self.source, self.epoch, self.first, self.last = container.parameters
        settings, body = container.sections
        self.hashes = set()
        self.prefixes = set()
        require(0 <= self.epoch <= self.last and self.source, "versions")
        # the settings are the header of a file without its sections, in the full form
        (kind,) = struct.unpack_from("<H", settings, 10)
        if form == 0:
            words = struct.unpack("<%dQ" % (len(body) // 8), body)
            at = 0
            while at < len(words):
                # a number of hashes, or -1 or -2 where the clock of a window went on
                count = words[at + 1] if words[at + 1] < 1 << 63 else 0
                require(count or words[at + 1] >= (1 << 64) - 2, "a run")
                self.hashes.update(words[at + 2 : at + 2 + count])
                at += 2 + count
            require(at == len(words) and len(self.hashes) <= self.last - self.first, "hashes")
        elif kind == 11:
            self.prefixes = image_prefixes(body)
        else:
            # the image of all other kinds is their file
            require(Container(body).end == len(body), "the content")

    def might_contain(self, key):
        h = self.container.hash(key)
        return h in self.hashes or any((n, h >> 64 - n) in self.prefixes for n in range(1, 64))

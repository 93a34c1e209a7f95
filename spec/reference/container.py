"""The bytes around every kind of filter: FORMAT.md, header, section and compact form."""

import struct

from hashing import MASK, classic_positions, key_bytes, sip_hash_2_4, u32, xxh3_64

MAGIC = b"\x89BLWS\r\n\x1a"
COMPACT_MAGIC = b"\x89BLWSc"
MOST_COMPACT = 1024
PIECE = 1 << 20


class FormatError(Exception):
    """Bytes that are not a filter."""


def require(condition, what):
    if not condition:
        raise FormatError(what)


def crc_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


TABLE = crc_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


class Bytes:
    """Bytes that are read from the first to the last: packed numbers, structures and words."""

    def __init__(self, data, at=0):
        self.data = data
        self.at = at

    def take(self, size):
        require(0 <= size <= len(self.data) - self.at, "it ends early")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self):
        """A packed number: 7 bits per byte, from the lowest."""
        value = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                require((byte or not shift) and value <= MASK, "packed number")
                return value
        raise FormatError("packed number")

    def numbers(self, count):
        return [self.number() for _ in range(count)]

    def ascending(self, count):
        """Numbers as the gaps between them: the first to 0, the others to predecessor + 1."""
        found = []
        for _ in range(count):
            found.append(self.number() + (found[-1] + 1 if found else 0))
        return found

    def fields(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def words(self, bits):
        """The words of this many bits; those after the last are 0."""
        words = self.take((bits + 63) // 64 * 8)
        require(int.from_bytes(words, "little") >> bits == 0, "ones after the last bit")
        return words

    def end(self):
        require(self.at == len(self.data), "bytes follow the end")


class Container:
    """One header with its sections; `end` is where the next filter begins."""

    def __init__(self, data, start=0, key=None):
        self.key = key
        if data[start : start + 6] == COMPACT_MAGIC:
            self.read_compact(data, start)
        else:
            self.read_full(data, start)

    def read_compact(self, data, start):
        source = Bytes(data, start + 6)
        require(source.take(1) == b"\x01", "version")
        self.kind, self.scheme, self.key_type, self.identity, self.id, count, sections = source.numbers(7)
        # parameters are signed where they are read
        self.parameters = [n - (1 << 64) if n >> 63 else n for n in source.numbers(count)]
        lengths = source.numbers(sections)
        require(sum(lengths) <= MOST_COMPACT, "too much for the compact form")
        self.state = source.fields("Q")[0] if self.id else 0
        self.sections = [source.take(size) for size in lengths]
        covered = data[start : source.at]
        require(crc32c(covered) == source.fields("I")[0], "checksum")
        self.end = source.at

    def read_full(self, data, start):
        require(data[start : start + 8] == MAGIC, "magic")
        version, self.kind, self.scheme, self.key_type, zero, length, count, sections, self.identity, self.id, self.state = (
            struct.unpack_from("<HHHBBIHHQQQ", data, start + 8)
        )
        require(version == 1 and zero == 0, "version")
        require(length % 64 == 0 and 128 <= length <= 65536, "header length")
        header = data[start : start + length]
        require(len(header) == length and crc32c(header[:-4]) == u32(header, length - 4), "header checksum")
        numbers = struct.unpack_from("<%dq" % (count + sections), header, 64)
        self.parameters, lengths = numbers[:count], numbers[count:]
        at = start + length
        self.sections = []
        for size in lengths:
            starts = range(0, size, PIECE) if size > PIECE else []
            padded = (size + 4 * len(starts) + 4 + 63) // 64 * 64
            section = data[at : at + padded]
            require(len(section) == padded, "section length")
            checks = size + 4 * len(starts)
            covered = section[size if starts else 0 : -4]
            require(crc32c(covered) == u32(section, padded - 4), "section checksum")
            for i, start in enumerate(starts):
                piece = section[start : min(start + PIECE, size)]
                require(crc32c(piece) == u32(section, size + 4 * i), "checksum of piece %d" % i)
            require(not any(section[checks:-4]), "padding")
            self.sections.append(section[:size])
            at += padded
        self.end = at

    def hash(self, key):
        data = key_bytes(key)
        if self.scheme == 1:
            return xxh3_64(data, self.identity)
        require(self.key is not None, "the secret key is needed")
        return sip_hash_2_4(data, self.key)


def is_set(words, position):
    return words[position >> 3] >> (position & 7) & 1


def has_classic(words, h, bits, hashes):
    """Whether the words of a CLASSIC filter have all positions of a hash."""
    return all(is_set(words, p) for p in classic_positions(h, bits, hashes))

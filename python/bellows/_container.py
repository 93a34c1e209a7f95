"""The bytes around every kind of filter: header, sections, checksums (spec/FORMAT.md).

Reading is strict: whatever is not as the specification says is refused with its offset, and no
length is trusted before the bytes are there.
"""

import functools
import struct

import numpy as np

from ._hashing import MASK, Scheme
from ._keys import KEY_TYPES

MAGIC = b"\x89BLWS\r\n\x1a"
COMPACT_MAGIC = b"\x89BLWSc"
VERSION = 1
MOST_COMPACT = 1024
MOST_HEADER = 65536
PIECE = 1 << 20
IDENTIFIED_KINDS = (1, 2, 3, 10, 17)


class FormatError(ValueError):
    """Raised for bytes that are not a filter; `offset` is where the error was found."""

    def __init__(self, offset, what):
        super().__init__("%s (at byte %d)" % (what, offset))
        self.offset = offset


# ---- CRC32C ----------------------------------------------------------------------------------


def _crc_tables():
    """Tables that process 8 bytes at once."""
    first = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        first = (first >> 1) ^ np.where(first & 1, np.uint32(0x82F63B78), np.uint32(0))
    tables = [first]
    for _ in range(7):
        tables.append((tables[-1] >> 8) ^ first[tables[-1] & 0xFF])
    return tables


_TABLES = _crc_tables()
_BYTE_TABLE = _TABLES[0].tolist()
_LANE = 256


@functools.lru_cache(maxsize=None)
def _shift_tables(size):
    """The effect of this many zero bytes (a power of two) on a checksum, by each of its four bytes."""
    if size == 1:
        single = np.array([1 << i for i in range(32)], np.uint32)
        images = (single >> 8) ^ _TABLES[0][single & 0xFF]
    else:
        half = _shift_tables(size // 2)
        single = np.array([1 << i for i in range(32)], np.uint32)
        images = _shifted(_shifted(single, half), half)
    tables = np.zeros((4, 256), np.uint32)
    for byte in range(4):
        for bit in range(8):
            has = np.arange(256) >> bit & 1 == 1
            tables[byte][has] ^= images[8 * byte + bit]
    return tables


def _shifted(crcs, tables):
    return tables[0][crcs & 0xFF] ^ tables[1][crcs >> 8 & 0xFF] ^ tables[2][crcs >> 16 & 0xFF] ^ tables[3][crcs >> 24]


def crc32c(data):
    """The checksum of some bytes. Long inputs are divided into lanes that advance together."""
    data = np.frombuffer(data, np.uint8)
    if len(data) < 2 * _LANE:
        crc = 0xFFFFFFFF
        for byte in data.tolist():
            crc = _BYTE_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
        return crc ^ 0xFFFFFFFF
    # zeros in front change nothing if the checksum begins with zero; the ones of the real beginning
    # are those of the first four bytes, inverted
    lanes = 1 << (-(-len(data) // _LANE) - 1).bit_length()
    padded = np.zeros(lanes * _LANE, np.uint8)
    padded[len(padded) - len(data) :] = data
    padded[len(padded) - len(data) :][:4] ^= 0xFF
    columns = padded.reshape(lanes, _LANE // 8, 8).transpose(1, 2, 0)
    crcs = np.zeros(lanes, np.uint32)
    for column in columns:
        next_ = _TABLES[3][column[4]] ^ _TABLES[2][column[5]] ^ _TABLES[1][column[6]] ^ _TABLES[0][column[7]]
        for i in range(4):
            next_ ^= _TABLES[7 - i][column[i] ^ (crcs >> 8 * i & 0xFF).astype(np.uint8)]
        crcs = next_
    size = _LANE
    while len(crcs) > 1:
        crcs = _shifted(crcs[0::2], _shift_tables(size)) ^ crcs[1::2]
        size *= 2
    return int(crcs[0]) ^ 0xFFFFFFFF


# ---- numbers ---------------------------------------------------------------------------------


def packed(value):
    """A number of up to 64 bits, 7 bits in a byte, from the lowest."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


class Bytes:
    """Bytes that are read from the first to the last; `base` is the offset of the first."""

    def __init__(self, data, at=0, base=0):
        self.data = data
        self.at = at
        self.base = base

    @property
    def offset(self):
        return self.base + self.at

    def take(self, size, where="its packed numbers"):
        if not 0 <= size <= len(self.data) - self.at:
            raise FormatError(self.base + len(self.data), "it ends inside %s" % where)
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, most=MASK >> 1):
        """A packed number in its shortest form."""
        value = 0
        start = self.offset
        for shift in range(0, 70, 7):
            byte = int(self.take(1)[0])
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if (byte == 0 and shift > 0) or value > most:
                    raise FormatError(start, "a packed number is not in its shortest form or exceeds %d" % most)
                return value
        raise FormatError(start, "a packed number has more than 64 bits")

    def count(self):
        """A number of items of at least one byte each."""
        return self.number(len(self.data) - self.at)

    def ascending(self, count, end):
        """Numbers below `end` as the gaps between them: the first to 0, the others to predecessor + 1."""
        if count > len(self.data) - self.at:
            raise FormatError(self.offset, "%d numbers in %d bytes" % (count, len(self.data) - self.at))
        found = []
        next_ = 0
        for _ in range(count):
            if next_ >= end:
                raise FormatError(self.offset, "a number is not below %d" % end)
            found.append(next_ + self.number(end - next_ - 1))
            next_ = found[-1] + 1
        return found

    def fields(self, form):
        return struct.unpack("<" + form, bytes(self.take(struct.calcsize("<" + form), "its fields")))

    def words(self, bits):
        """The words of this many bits; those after the last are 0."""
        start = self.offset
        return as_words(self.take(8 * word_count(bits), "a section"), bits, start)

    def end(self):
        if self.at != len(self.data):
            raise FormatError(self.offset, "%d bytes follow its end" % (len(self.data) - self.at))


def word_count(bits):
    return (bits + 63) // 64


def as_words(data, bits, offset=0):
    """Bytes as words; raises an error if there are ones after the last bit."""
    words = np.frombuffer(data, "<u8") if not isinstance(data, np.ndarray) else data.view(np.uint8).view("<u8")
    if bits % 64 and len(words) and int(words[-1]) >> bits % 64:
        raise FormatError(offset, "ones follow the last of %d bits" % bits)
    return words


# ---- reading ---------------------------------------------------------------------------------


class Container:
    """One header with its sections; `end` is where the next filter begins."""

    def __init__(self, data, start=0, key=None, max_bytes=1 << 30):
        self.start = start
        self.key = key
        self.max_bytes = max_bytes
        if bytes(data[start : start + 6]) == COMPACT_MAGIC:
            self._read_compact(data, start)
        else:
            self._read_full(data, start, max_bytes)
        if self.key_type >= len(KEY_TYPES):
            raise FormatError(self._places["keyType"], "unknown key type %d" % self.key_type)
        if self.scheme_id not in (1, 2):
            raise FormatError(self._places["scheme"], "unknown hash scheme %d" % self.scheme_id)
        if self.id and self.kind not in IDENTIFIED_KINDS:
            raise FormatError(self._places["id"], "a filter of kind %d has no id" % self.kind)
        if self.state and not self.id:
            raise FormatError(self._places["state"], "a filter without an id has no state")
        self.scheme = Scheme(self.scheme_id, self.identity)
        if key is not None:
            given = Scheme.secret(key)
            if given != self.scheme:
                raise FormatError(
                    self._places["scheme"], "its keys were hashed with %s, not with the given key" % self.scheme.word
                    if self.scheme_id == 1
                    else "its keys were hashed with another key than the given one"
                )
            self.scheme = given

    def _read_compact(self, data, start):
        source = Bytes(data, start + 6)
        version = int(source.take(1, "the header")[0])
        if version != VERSION:
            raise FormatError(start + 6, "format version %d; this library reads %d" % (version, VERSION))
        self._places = {}
        fields = []
        for name in ("kind", "scheme", "keyType", "identity", "id", "parameters", "sections"):
            self._places[name] = source.offset
            small = name not in ("identity", "id")
            fields.append(source.number(0xFFFF if small else MASK))
        self.kind, self.scheme_id, self.key_type, self.identity, self.id, count, sections = fields
        if _header_bytes(count + sections) > MOST_HEADER:
            raise FormatError(self._places["parameters"], "%d parameters and %d sections do not fit into a header" % (count, sections))
        self._numbers = []
        numbers = []
        for _ in range(count + sections):
            self._numbers.append(source.offset)
            numbers.append(_signed(source.number(MASK)))
        self.parameters, lengths = numbers[:count], numbers[count:]
        self._places["state"] = source.offset
        self.state = source.fields("Q")[0] if self.id else 0
        if any(length < 0 for length in lengths) or sum(lengths) > MOST_COMPACT:
            raise FormatError(self._numbers[count], "%d bytes of sections in the compact form, which has at most %d" % (sum(lengths), MOST_COMPACT))
        self.sections, self._offsets = [], []
        for length in lengths:
            self._offsets.append(source.offset)
            self.sections.append(source.take(length, "a section"))
        covered = data[start : source.at]
        if crc32c(covered) != source.fields("I")[0]:
            raise FormatError(source.at - 4, "its checksum does not match")
        self.end = source.at

    def _read_full(self, data, start, max_bytes):
        beginning = bytes(data[start : start + 8])
        for i, byte in enumerate(beginning):
            if byte != MAGIC[i]:
                raise FormatError(start + i, "it does not begin with the magic bytes")
        fixed = bytes(data[start : start + 64])
        if len(fixed) < 64:
            raise FormatError(start + len(fixed), "it ends inside the header")
        version, self.kind, self.scheme_id, self.key_type, zero, length, count, sections, self.identity, self.id, self.state = (
            struct.unpack_from("<HHHBBIHHQQQ", fixed, 8)
        )
        if length % 64 or not 128 <= length <= MOST_HEADER:
            raise FormatError(start + 16, "header length %d is impossible" % length)
        header = bytes(data[start : start + length])
        if len(header) < length:
            raise FormatError(start + len(header), "it ends inside the header")
        if crc32c(header[:-4]) != struct.unpack_from("<I", header, length - 4)[0]:
            raise FormatError(start + length - 4, "the header's checksum does not match")
        if version != VERSION:
            raise FormatError(start + 8, "format version %d; this library reads %d" % (version, VERSION))
        if _header_bytes(count + sections) != length:
            raise FormatError(start + 16, "header length %d but its counts require %d" % (length, _header_bytes(count + sections)))
        behind = 64 + 8 * (count + sections)
        for begin, end in ((15, 16), (48, 64), (behind, length - 4)):
            for at in range(begin, end):
                if header[at]:
                    raise FormatError(start + at, "a reserved byte is %d, not 0" % header[at])
        self._places = {
            "kind": start + 10, "scheme": start + 12, "keyType": start + 14, "identity": start + 24,
            "id": start + 32, "state": start + 40, "parameters": start + 20, "sections": start + 22,
        }
        self._numbers = [start + 64 + 8 * i for i in range(count + sections)]
        numbers = struct.unpack_from("<%dq" % (count + sections), header, 64)
        self.parameters, lengths = list(numbers[:count]), numbers[count:]
        for i, size in enumerate(lengths):
            if size < 0:
                raise FormatError(self._numbers[count + i], "section length %d is impossible" % size)
        if sum(lengths) > max_bytes:
            raise FormatError(
                self._numbers[count],
                "its body takes %d bytes where the limit is %d: open it with a higher max_bytes" % (sum(lengths), max_bytes),
            )
        at = start + length
        self.sections, self._offsets = [], []
        for size in lengths:
            self._offsets.append(at)
            payload, at = _read_section(data, at, size)
            self.sections.append(payload)
        self.end = at

    # ---- for the readers of kinds

    def expect(self, parameters, sections):
        """Raises an error if the counts of a header differ from those of its kind."""
        if len(self.parameters) != parameters:
            raise FormatError(self._places["parameters"], "%d parameters, but the kind has %d" % (len(self.parameters), parameters))
        if len(self.sections) != sections:
            raise FormatError(self._places["sections"], "%d sections, but the kind has %d" % (len(self.sections), sections))

    def parameter(self, index, name, low, high):
        value = self.parameters[index]
        if not low <= value <= high:
            raise self.error(index, "%s %d is not in [%d, %d]" % (name, value, low, high))
        return value

    def real(self, index, name):
        """A parameter that is a finite IEEE 754 number."""
        value = struct.unpack("<d", struct.pack("<q", self.parameters[index]))[0]
        if value != value or value in (float("inf"), float("-inf")):
            raise self.error(index, "%s is %s" % (name, value))
        return value

    def probability(self, index, name):
        value = self.real(index, name)
        if not 0 < value < 1:
            raise self.error(index, "%s %s is not in (0, 1)" % (name, value))
        return value

    def error(self, index, what):
        """The exception for an impossible value of a parameter."""
        return FormatError(self._numbers[index], what)

    def place_error(self, field, what):
        """The exception for an impossible value of a field of the header."""
        return FormatError(self._places[field], what)

    def section(self, index, size):
        """A section that must have this many bytes."""
        if len(self.sections[index]) != size:
            raise self.error(
                len(self.parameters) + index,
                "a section of %d bytes where the parameters need %d" % (len(self.sections[index]), size),
            )
        return self.sections[index]

    def words(self, index, bits):
        return as_words(self.section(index, 8 * word_count(bits)), bits, self._offsets[index])

    def source(self, index):
        return Bytes(self.sections[index], 0, self._offsets[index])


def _signed(number):
    return number - (1 << 64) if number >> 63 else number


def _header_bytes(numbers):
    return (64 + 8 * numbers + 4 + 63) // 64 * 64


def _pieces(size):
    return -(-size // PIECE) if size > PIECE else 0


def _section_bytes(size):
    return (size + 4 * _pieces(size) + 4 + 63) // 64 * 64


def _ending(payload):
    """The bytes after the payload of a section: checksums of pieces, zeros, the last checksum."""
    size = len(payload)
    pieces = _pieces(size)
    checks = b"".join(struct.pack("<I", crc32c(payload[PIECE * i : PIECE * (i + 1)])) for i in range(pieces))
    filled = checks + bytes(_section_bytes(size) - size - len(checks) - 4)
    covered = filled if pieces else bytes(payload) + filled
    return filled + struct.pack("<I", crc32c(covered))


def _read_section(data, at, size):
    whole = _section_bytes(size)
    if len(data) - at < whole:
        raise FormatError(len(data), "it ends inside a section")
    payload = data[at : at + size]
    stored = bytes(data[at + size : at + whole])
    right = _ending(payload)
    if stored != right:
        wrong = next(i for i in range(len(right)) if stored[i] != right[i])
        pieces = _pieces(size)
        if wrong >= len(right) - 4:
            what = "a section's checksum does not match"
        elif wrong >= 4 * pieces:
            what = "a padding byte is not 0"
        else:
            what = "the checksum of piece %d of a section does not match" % (wrong // 4)
        raise FormatError(at + size + wrong, what)
    return payload, at + whole


# ---- writing ---------------------------------------------------------------------------------


def encode(kind, scheme, key_type, parameters, sections, id_=0, state=0):
    """The bytes of a filter, in the form that its size determines."""
    lengths = [len(section) for section in sections]
    numbers = [number & MASK for number in list(parameters) + lengths]
    if sum(lengths) <= MOST_COMPACT:
        fields = [kind, scheme.id, key_type, scheme.identity, id_, len(parameters), len(lengths)] + numbers
        out = COMPACT_MAGIC + bytes([VERSION]) + b"".join(map(packed, fields))
        out += struct.pack("<Q", state) if id_ else b""
        out += b"".join(bytes(section) for section in sections)
        return out + struct.pack("<I", crc32c(out))
    length = _header_bytes(len(numbers))
    header = MAGIC + struct.pack(
        "<HHHBBIHHQQQ", VERSION, kind, scheme.id, key_type, 0, length, len(parameters), len(lengths), scheme.identity, id_, state
    )
    header += bytes(16) + struct.pack("<%dQ" % len(numbers), *numbers)
    header += bytes(length - 4 - len(header))
    parts = [header, struct.pack("<I", crc32c(header))]
    for section in sections:
        parts += [bytes(section), _ending(section)]
    return b"".join(parts)

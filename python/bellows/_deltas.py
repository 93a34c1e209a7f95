"""What changed in a durable filter: kind 18 (spec/FORMAT.md, "The delta of kind 18")."""

import struct

import numpy as np

from ._container import Container, FormatError
from ._filters import Filter
from ._prefixes import Prefixes

BUCKETS = 512
BUCKET_BITS = 9
PACKED = 3
WORDS_BEFORE_SLOTS = 17


class Delta(Filter):
    """The hashes that were put between two versions, or all of the content at one of them."""

    kind = "delta"

    @classmethod
    def _read(cls, container, data):
        container.expect(5, 2)
        made = cls(container, data[container.start : container.end])
        made._form = container.parameter(0, "form", 0, 1)
        made.source = container.parameters[1]
        if made.source == 0:
            raise container.error(1, "the id of the source is 0")
        made.last = container.parameter(4, "last version", 0, (1 << 63) - 1)
        made.epoch = container.parameter(2, "epoch", 0, made.last)
        low, high = (made.epoch, made.last) if made._form == 0 else (0, 0)
        made.first = container.parameter(3, "first version", low, high)
        made._source_kind = _kind_of_settings(container)
        body = container.source(1)
        made._answer = made._hashes(container, body) if made._form == 0 else made._content(container, body)
        return made

    def _hashes(self, container, body):
        runs, changes = [], 0
        while body.at < len(body.data):
            _, count = body.fields("qq")
            if count in (-1, -2) and self._source_kind in (13, 14):
                # the clock of a window moved on
                changes += 1
                continue
            if not 0 < count <= (len(body.data) - body.at) // 8:
                raise FormatError(body.offset - 8, "%d hashes in %d bytes" % (count, len(body.data) - body.at))
            runs.append(np.frombuffer(body.take(8 * count), "<u8"))
            changes += count
        if changes != self.last - self.first:
            raise container.error(4, "%d changes between versions that are %d apart" % (changes, self.last - self.first))
        hashes = np.sort(np.concatenate(runs)) if runs else np.zeros(0, np.uint64)
        if not len(hashes):
            return lambda asked: np.zeros(len(asked), bool)
        return lambda asked: hashes[np.minimum(np.searchsorted(hashes, asked), len(hashes) - 1)] == asked

    def _content(self, container, body):
        if self._source_kind == 11:
            return _image(body).contains_hashes
        from . import _KINDS

        inner = Container(body.data, 0, container.key, container.max_bytes)
        if inner.kind != self._source_kind or inner.kind not in _KINDS or inner.scheme != self.scheme:
            raise FormatError(body.offset, "the content is not a filter of its source")
        found = _KINDS[inner.kind]._read(inner, body.data)
        if getattr(found, "end", inner.end) != len(body.data):
            raise FormatError(body.offset, "bytes follow the content")
        return found.contains_hashes

    def contains_hashes(self, hashes):
        """Whether the changes put the hashes: a "no" says nothing about the rest of the source."""
        return self._answer(hashes)

    def _own_info(self):
        return {
            "from": self.first,
            "to": self.last,
            "epoch": self.epoch,
            "whole": self._form == 1,
            "source": "%016x" % (self.source & (1 << 64) - 1),
        }


def _kind_of_settings(container):
    """The kind of the source, whose settings are the header of its file without sections."""
    settings = bytes(container.sections[0])
    offset = container.source(0).offset
    if len(settings) < 128 or settings[:8] != b"\x89BLWS\r\n\x1a":
        raise FormatError(offset, "its settings are not a header")
    kind, scheme = struct.unpack_from("<HH", settings, 10)
    (identity,) = struct.unpack_from("<Q", settings, 24)
    if (scheme, identity) != (container.scheme.id, container.scheme.identity):
        raise FormatError(offset + 12, "its settings have another hash scheme")
    return kind


def _image(body):
    """The prefixes of an image of kind 11: chunks from address 0 on, then two numbers."""
    bits, lengths = [], []
    address = 0
    while True:
        start = body.offset
        its, count, depth, width, tags, zero, packed, spilled = body.fields("QIBBBBII")
        if its != address or tags or zero or width < 1 or depth + BUCKET_BITS + width > 64 or count < WORDS_BEFORE_SLOTS:
            raise FormatError(start, "a chunk that does not follow the one before it")
        if count > (len(body.data) - body.at) // 8:
            raise FormatError(start, "%d words in %d bytes" % (count, len(body.data) - body.at))
        words = np.frombuffer(body.take(8 * count), "<u8")
        slots, buckets = _slots(words, width, packed, spilled, start)
        _add_prefixes(address, depth, width, slots, buckets, bits, lengths, start)
        address += 1 << 64 - depth
        if address >> 64:
            break
    body.fields("QI")
    body.end()
    bits = np.concatenate(bits) if bits else np.zeros(0, np.uint64)
    lengths = np.concatenate(lengths) if lengths else np.zeros(0, np.int64)
    order = np.lexsort((lengths, bits))
    return Prefixes(bits[order], lengths[order])


def _slots(words, width, packed, spilled, start):
    """The slots of a chunk and their buckets."""
    flags = np.unpackbits(words.view(np.uint8), bitorder="little").reshape(-1, 64)
    pairs = flags[1:WORDS_BEFORE_SLOTS].reshape(8, 2, 64).astype(np.int64)
    counts = (pairs[:, 0] + 2 * pairs[:, 1]).reshape(BUCKETS)
    bits = flags[WORDS_BEFORE_SLOTS:].reshape(-1)
    wide = width + BUCKET_BITS
    if int(counts.sum()) != packed or packed * width + spilled * wide > len(bits):
        raise FormatError(start, "%d slots and %d spilled ones in %d words" % (packed, spilled, len(words)))
    slots = _numbers(bits[: packed * width].reshape(packed, width))
    entries = bits[len(bits) - spilled * wide :].reshape(spilled, wide)[::-1]
    homes = _numbers(entries[:, width:]).astype(np.int64)
    if (np.diff(homes) < 0).any() or (counts[homes] != PACKED).any():
        raise FormatError(start, "spilled slots of buckets that are not full, or not in their order")
    buckets = np.concatenate([np.repeat(np.arange(BUCKETS), counts), homes])
    return np.concatenate([slots, _numbers(entries[:, :width])]), buckets


def _numbers(rows):
    """Rows of bits, the lowest first, as numbers."""
    return (rows.astype(np.uint64) << np.arange(rows.shape[1], dtype=np.uint64)).sum(axis=1, dtype=np.uint64)


def _add_prefixes(address, depth, width, slots, buckets, bits, lengths, start):
    """A slot is the rest of a prefix, a one after its last bit, and zeros."""
    if not slots.all():
        raise FormatError(start, "a slot is empty")
    lowest = slots & (~slots + np.uint64(1))
    zeros = np.round(np.log2(lowest.astype(np.float64))).astype(np.int64)
    length = depth + BUCKET_BITS + width - 1 - zeros
    rest = (slots ^ lowest) << np.uint64(64 - depth - BUCKET_BITS - width)
    bits.append(np.uint64(address) | buckets.astype(np.uint64) << np.uint64(64 - depth - BUCKET_BITS) | rest)
    lengths.append(length)

"""Arrays of bits and of counters: queries, folding, packing."""

import numpy as np

from ._container import word_count
from ._hashing import CHUNK, MASK, blocked_masks, classic_positions


def test_words(words, h, bits, layout):
    """Which hashes have all their bits; the hashes are an array of unsigned 64-bit numbers."""
    answers = np.empty(len(h), bool)
    for at in range(0, len(h), CHUNK):
        answers[at : at + CHUNK] = _test(words, h[at : at + CHUNK], bits, layout)
    return answers


def _test(words, h, bits, layout):
    if layout.pattern:
        hit = None
        for word, mask in blocked_masks(h, bits, *layout.pattern):
            found = words[word.view(np.int64)] & mask == mask
            hit = found if hit is None else hit & found
        return hit
    return test_at(words, classic_positions(h, bits, layout.hashes), len(h))


def test_at(words, positions, count):
    """Which of this many keys have ones at all their positions."""
    hit = np.ones(count, np.uint64)
    for position in positions:
        hit &= words[(position >> 6).view(np.int64)] >> (position & 63)
    return hit.astype(bool)


def test_one(words, positions):
    """Whether all positions of one key are set: plain integers are faster than arrays of one."""
    return all(int(words[position >> 6]) >> (position & 63) & 1 for position in positions)


def set_words(words, h, bits, layout):
    """Sets the bits of hashes in words that may be written."""
    for at in range(0, len(h), CHUNK):
        part = h[at : at + CHUNK]
        if layout.pattern:
            for word, mask in blocked_masks(part, bits, *layout.pattern):
                _set(words, word, mask)
        else:
            for position in classic_positions(part, bits, layout.hashes):
                _set(words, position >> 6, np.uint64(1) << (position & 63))


def _set(words, at, masks):
    """ORs masks into words. Masks of the same word are combined first, because NumPy would write it only once."""
    order = np.argsort(at)
    at = at[order]
    starts = np.flatnonzero(np.append(True, at[1:] != at[:-1]))
    words[at[starts].view(np.int64)] |= np.bitwise_or.reduceat(masks[order], starts)


def fold_words(words, bits, factor):
    """The bits folded by a factor that divides their number: stripes are OR-ed."""
    folded = bits // factor
    if folded % 64 == 0:
        return np.bitwise_or.reduce(words.reshape(factor, -1), axis=0)
    flags = np.unpackbits(words.view(np.uint8), bitorder="little", count=bits)
    return pack_flags(np.bitwise_or.reduce(flags.reshape(factor, folded), axis=0))


def pack_flags(flags):
    """Words whose bits are these flags."""
    padded = np.zeros(64 * word_count(len(flags)), np.uint8)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view("<u8")


def content_hash(values):
    """The state of an identified filter: a sum over its words or counters (spec/FORMAT.md, "State")."""
    total = 0
    for at in range(0, len(values), CHUNK):
        w = values[at : at + CHUNK].astype(np.uint64)
        i = np.arange(at + 1, at + 1 + len(w), dtype=np.uint64)
        z = w ^ (i * 0x9E3779B97F4A7C15)
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB
        z = z ^ (z >> 31)
        z = (z + i * 0xBF58476D1CE4E5B9) * 0x94D049BB133111EB
        z = z ^ (z >> 32)
        z[w == 0] = 0
        total += int(z.sum(dtype=np.uint64))
    return total & MASK


WIDTHS = (4, 8, 16, 32)


def unpack_counters(data, width, size):
    """Counters as an array of unsigned 64-bit numbers."""
    if width == 4:
        nibbles = np.empty(2 * len(data), np.uint8)
        nibbles[0::2], nibbles[1::2] = data & 15, data >> 4
        return nibbles[:size].astype(np.uint64)
    return data.view("<u%d" % (width // 8))[:size].astype(np.uint64)


def pack_counters(counters, width):
    padded = np.zeros(word_count(len(counters) * width) * 64 // width, np.uint64)
    padded[: len(counters)] = counters
    if width == 4:
        nibbles = padded.astype(np.uint8)
        return nibbles[0::2] | nibbles[1::2] << 4
    return padded.astype("<u%d" % (width // 8)).view(np.uint8)

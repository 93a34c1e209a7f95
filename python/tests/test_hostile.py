"""Untrusted bytes: all of them are refused with an offset, or are a filter that answers."""

import random
import struct
import unittest

import numpy as np

from support import bellows, golden, kind_of, opened
from bellows import _container as container


def one_of_each_kind():
    """The smallest golden file of each kind in each form."""
    found = {}
    for name, data in golden():
        key = (kind_of(data), data[5])
        if key not in found or len(data) < len(found[key]):
            found[key] = data
    return [found[key] for key in sorted(found)]


def resealed(data):
    """The bytes with right checksums, as far as their lengths allow."""
    data = bytearray(data)
    if bytes(data[:6]) == container.COMPACT_MAGIC:
        data[-4:] = struct.pack("<I", container.crc32c(bytes(data[:-4])))
        return bytes(data)
    length = struct.unpack_from("<I", data, 16)[0]
    if not 128 <= length <= len(data):
        return bytes(data)
    data[length - 4 : length] = struct.pack("<I", container.crc32c(bytes(data[: length - 4])))
    count, sections = struct.unpack_from("<HH", data, 20)
    at = length
    for i in range(sections):
        if 64 + 8 * (count + i) + 8 > length:
            return bytes(data)
        size = struct.unpack_from("<q", data, 64 + 8 * (count + i))[0]
        if not 0 <= size <= len(data) - at:
            return bytes(data)
        ending = container._ending(np.frombuffer(bytes(data[at : at + size]), np.uint8))
        data[at + size : at + size + len(ending)] = ending
        at += size + len(ending)
    return bytes(data)


class HostileTest(unittest.TestCase):
    def refused(self, data, what):
        with self.assertRaises(bellows.FormatError, msg=what) as caught:
            bellows.from_bytes(data)
        self.assertTrue(0 <= caught.exception.offset <= len(data), what)

    def test_a_file_that_ends_early_or_late_is_refused(self):
        for data in one_of_each_kind():
            step = 1 if len(data) < 500 else 37
            for end in range(0, len(data), step):
                self.refused(data[:end], "kind %d, %d bytes" % (kind_of(data), end))
            self.refused(data + b"\0", "a byte more")

    def test_a_range_filter_of_the_removed_scheme_is_refused(self):
        data = bytearray(dict(golden())["full-range"])
        length = struct.unpack_from("<q", data, 104)[0]
        data[128 + 20] = 4
        struct.pack_into("<Q", data, 96, bellows._hashing.Scheme.seeded().hash(bytes(data[128 : 128 + length])))
        with self.assertRaisesRegex(bellows.FormatError, "dyadic"):
            bellows.from_bytes(resealed(data))

    def test_a_changed_bit_is_refused(self):
        for data in one_of_each_kind():
            step = 1 if len(data) < 500 else 11
            for at in range(0, len(data), step):
                changed = bytearray(data)
                changed[at] ^= 1 << at % 8
                self.refused(bytes(changed), "kind %d, bit %d of byte %d" % (kind_of(data), at % 8, at))

    def test_changed_bytes_with_right_checksums_are_refused_or_a_filter(self):
        dice = random.Random(44)
        keys = np.arange(20)
        outcomes = {"refused": 0, "read": 0}
        for data in one_of_each_kind():
            if len(data) > 20000:
                continue
            for _ in range(150):
                changed = bytearray(data)
                for _ in range(dice.choice((1, 1, 2))):
                    at = dice.randrange(6, min(len(data), 200) if dice.random() < 0.7 else len(data))
                    changed[at] = dice.choice((0, 1, 2, 7, 0x40, 0x7F, 0x80, 0xFF, dice.randrange(256)))
                changed = resealed(changed)
                try:
                    found = bellows.from_bytes(changed)
                except bellows.FormatError as e:
                    self.assertTrue(0 <= e.offset <= len(changed))
                    outcomes["refused"] += 1
                    continue
                outcomes["read"] += 1
                # a later part of a frozen filter has nothing to ask
                if not found.scheme.needs_key and found.kind not in ("range", "frozen-part"):
                    self.assertEqual(len(found.contains_hashes(found.scheme.hashes(keys))), len(keys))
                # the form of its size may be the other one, but nothing is lost
                bellows.from_bytes(found.to_bytes())
        self.assertGreater(outcomes["refused"], 500)
        self.assertGreater(outcomes["read"], 100)

    def test_a_limit_holds(self):
        data = opened(dict(golden())["full-bloom-pieces"]).to_bytes()
        with self.assertRaisesRegex(bellows.FormatError, "max_bytes"):
            bellows.from_bytes(data, max_bytes=1000)

    def test_a_length_that_is_only_claimed_takes_no_memory(self):
        scheme = bellows.BloomFilter(bits=512, hashes=6).scheme
        bits = 1 << 42
        header = container.encode(1, scheme, 0, [1, bits, 6, 2], [np.zeros(2048, np.uint8)])
        claimed = bytearray(header[:128])
        claimed[64 + 8 * 4 : 64 + 8 * 5] = struct.pack("<Q", bits // 8)
        claimed[124:128] = struct.pack("<I", container.crc32c(bytes(claimed[:124])))
        with self.assertRaises(bellows.FormatError):
            bellows.from_bytes(bytes(claimed), max_bytes=1 << 50)


if __name__ == "__main__":
    unittest.main()

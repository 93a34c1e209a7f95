"""The package answers the golden files as Java does, and hashes and places keys as it does."""

import unittest
import uuid

import numpy as np

from support import VECTORS, bellows, golden, kind_of, load, opened, reference
from bellows import _hashing as hashing

PARSE = {
    "long": int,
    "double": float,
    "text": str,
    "bytes": bytes.fromhex,
    "uuid": uuid.UUID,
}


class HashingTest(unittest.TestCase):
    def test_keys_have_the_bytes_and_hashes_of_java(self):
        for vector in load("hashing.json")["vectors"]:
            with self.subTest(vector=vector):
                key = PARSE[vector["type"]](vector["value"])
                self.assertEqual(hashing.key_bytes(key).hex(), vector["bytes"])
                if vector["scheme"] == "xxh3-64":
                    scheme = hashing.Scheme.seeded(int(vector["seed"]))
                else:
                    scheme = hashing.Scheme.secret(bytes.fromhex(vector["key"]))
                self.assertEqual("%016x" % scheme.hash(key), vector["hash"])
                # seventeen at a time are hashed as rows of an array
                for value in scheme.hashes([key] * 17).tolist():
                    self.assertEqual("%016x" % value, vector["hash"])

    def test_hashes_have_the_positions_of_java(self):
        for vector in load("positions.json")["vectors"]:
            with self.subTest(vector={k: v for k, v in vector.items() if k != "positions"}):
                wanted = vector["positions"]
                for h in (int(vector["hash"], 16), np.array([int(vector["hash"], 16)], np.uint64)):
                    self.assertEqual(self.positions(vector, h), sorted(set(wanted)))

    @staticmethod
    def positions(vector, h):
        bits = vector["bits"]
        if vector["layout"] == "classic":
            return sorted({int(np.ravel(p)[0]) for p in hashing.classic_positions(h, bits, vector["hashes"])})
        if vector["layout"] == "distinct":
            return sorted({int(np.ravel(p)[0]) for p in hashing.distinct_positions(h, bits, vector["hashes"])})
        found = set()
        for word, mask in hashing.blocked_masks(h, bits, *map(int, vector["pattern"].split("x"))):
            word, mask = int(np.ravel(word)[0]), int(np.ravel(mask)[0])
            found |= {64 * word + bit for bit in range(64) if mask >> bit & 1}
        return sorted(found)

    def test_arrays_of_every_type_are_hashed_as_single_keys(self):
        scheme = hashing.Scheme.seeded(7)
        random = np.random.default_rng(1)
        arrays = [
            random.integers(-(1 << 63), 1 << 63, 100),
            random.integers(-128, 128, 100).astype(np.int8),
            random.integers(0, 1 << 64, 100, np.uint64),
            np.append(random.normal(size=100), [0.0, -0.0, np.nan, np.inf]),
            random.normal(size=50).astype(np.float32),
            np.array(["", "a", "é", "日本", "x" * 300] * 20),
            np.array([b"\x01", b"", b"abc"] * 20),
        ]
        for array in arrays:
            self.assertEqual(scheme.hashes(array).tolist(), [scheme.hash(key) for key in array.tolist()], array.dtype)
        mixed = [1, 2.5, "a", b"a", uuid.UUID(int=5)]
        self.assertEqual(scheme.hashes(mixed).tolist(), [scheme.hash(key) for key in mixed])

    def test_what_is_not_a_key_is_refused(self):
        scheme = hashing.Scheme.seeded()
        for key in (True, None, [1], 1 << 64, -(1 << 63) - 1):
            with self.assertRaises((TypeError, OverflowError)):
                scheme.hash(key)
        for keys in ("text", np.zeros((2, 2), np.int64), np.array([True])):
            with self.assertRaises((TypeError, ValueError)):
                scheme.hashes(keys)


class GoldenTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answers = load("answers.json")
        cls.secret = bytes.fromhex(cls.answers["secretKey"])

    def test_every_kind_has_golden_files(self):
        self.assertEqual({kind_of(data) for _, data in golden()}, set(bellows._KINDS))

    def test_a_kind_that_is_not_known_is_named(self):
        for name, data in golden(known_only=False):
            if kind_of(data) not in bellows._KINDS:
                with self.assertRaisesRegex(bellows.FormatError, "unknown kind %d" % kind_of(data), msg=name):
                    bellows.from_bytes(data)

    def test_golden_files_answer_as_in_java(self):
        for name, data in golden():
            found = opened(data, self.secret)
            for form, wanted in self.answers["files"][name].items():
                with self.subTest(name=name, form=form):
                    self.assertEqual(self.asked(found, form), wanted)

    def asked(self, found, form):
        keys = {
            "texts": lambda: self.answers["texts"],
            "longs": lambda: [int(value) for value in self.answers["longs"]],
            "bytes": lambda: [bytes.fromhex(value) for value in self.answers["bytes"]],
        }
        if form in keys:
            keys = keys[form]()
            accepted = {"unknown": ("texts", "longs", "bytes"), "text": ("texts", "bytes"), "bytes": ("texts", "bytes")}
            if form not in accepted.get(found.info()["keyType"], ("longs",)):
                for refused in (found.contains_many, lambda keys: keys[0] in found):
                    with self.assertRaisesRegex(TypeError, found.info()["keyType"]):
                        refused(keys)
                many = found.contains_hashes(found.scheme.hashes(keys))
            else:
                many = found.contains_many(keys)
                self.assertEqual([key in found for key in keys[::9]], many[::9].tolist())
            return "".join("01"[bool(answer)] for answer in many)
        if form == "ids":
            ids = np.array([int(value) for value in self.answers["ids"]], object)
            answers = [found.contains_id(int(value)) for value in ids]
            return "".join("01"[answer] for answer in answers)
        questions, method = {
            "attributeTexts": ("attributeTexts", found.contains_text if hasattr(found, "contains_text") else None),
            "numbers": ("numbers", getattr(found, "contains_number", None)),
            "covers": ("ranges", getattr(found, "contains_range", None)),
            "meets": ("ranges", getattr(found, "intersects_range", None)),
        }[form]
        return "".join("01"[method(*question)] for question in self.answers[questions])

    def test_a_filter_is_written_as_it_was_read(self):
        for name, data in golden():
            self.assertEqual(opened(data, self.secret).to_bytes(), data, name)

    def test_the_reader_of_the_specification_agrees_on_random_keys(self):
        slow = reference()
        keys = np.random.default_rng(44).integers(-(1 << 63), 1 << 63, 300)
        for name, data in golden():
            if kind_of(data) == 9 or name == "frozen-part-next":
                continue
            found = opened(data, self.secret)
            other = slow.read(VECTORS / (name + ".bellows"), self.secret)
            wanted = [bool(other.might_contain(int(key))) for key in keys]
            self.assertEqual(found.contains_hashes(found.scheme.hashes(keys)).tolist(), wanted, name)

    def test_a_later_part_of_a_frozen_filter_says_that_it_cannot_be_asked(self):
        data = (VECTORS / "frozen-part-next.bellows").read_bytes()
        with self.assertRaisesRegex(TypeError, "later columns"):
            "text" in bellows.from_bytes(data)

    def test_a_window_forgets_when_its_clock_moves_on(self):
        for name, data in golden():
            if kind_of(data) not in (13, 14):
                continue
            found = bellows.from_bytes(data)
            times = found._times
            keys = np.random.default_rng(41).integers(0, 1 << 64, 3000, np.uint64)
            before = found.contains_hashes(keys)
            self.assertTrue((found.at(0).contains_hashes(keys) == before).all(), name)
            if len(found.info()["generations"]) == 0:
                self.assertFalse(before.any())
                continue
            # one generation after the other goes, and nothing comes back
            answers = before
            for moved in range(times.generations + 2):
                later = found.at((times.now + moved * times.window / times.generations) / 1000)
                self.assertFalse((later.contains_hashes(keys) & ~answers).any(), name)
                answers = later.contains_hashes(keys)
                self.assertEqual(len(later.info()["generations"]), times.generations + 1)
            self.assertFalse(answers.any(), name)
            with self.assertRaisesRegex(TypeError, "not written"):
                later.to_bytes()

    def test_folding_a_frozen_filter_drops_columns(self):
        data = (VECTORS / "frozen.bellows").read_bytes()
        found = bellows.from_bytes(data)
        keys = np.random.default_rng(40).integers(0, 1 << 64, 20000, np.uint64)
        before = found.contains_hashes(keys)
        for fpp in (0.03, 0.1, 0.2, 0.9):
            folded = found.fold_to_fpp(fpp)
            self.assertLessEqual(folded.expected_fpp, fpp)
            self.assertFalse((before & ~folded.contains_hashes(keys)).any())
            again = bellows.from_bytes(folded.to_bytes())
            self.assertEqual(again.info(), folded.info())
            self.assertAlmostEqual(float(folded.contains_hashes(keys).mean()), folded.expected_fpp, delta=0.02)
        with self.assertRaisesRegex(ValueError, "cannot be restored"):
            folded.fold_to_fpp(0.1)

    def test_a_wrong_key_is_refused(self):
        data = (VECTORS / "bloom-siphash.bellows").read_bytes()
        with self.assertRaises(bellows.FormatError):
            bellows.from_bytes(data, key=bytes(16))
        with self.assertRaisesRegex(ValueError, "secret key"):
            "text" in bellows.from_bytes(data)


if __name__ == "__main__":
    unittest.main()

"""Filters that Python builds: no key is lost, rates hold, and folding is building at a smaller size."""

import math
import os
import pathlib
import stat
import tempfile
import unittest

import numpy as np

from support import HERE, VECTORS, bellows

SHAPES = (dict(fpp=0.1), dict(fpp=0.01), dict(fpp=0.001), dict(fpp=1e-5), dict(fpp=1e-7), dict(fpp=0.01, layout="classic"))


# What `BloomFilter.builder().keys(keys).fpp(fpp).layout(layout).plan()` chooses in Java.
SIZES = (
    (0, 0.3, "classic", 64, 2),
    (0, 0.01, "blocked", 512, 6),
    (0, 1.0E-6, "classic", 64, 20),
    (1, 0.3, "blocked", 512, 4),
    (1, 0.001, "classic", 64, 10),
    (1, 1.0E-6, "blocked", 512, 16),
    (10, 0.1, "classic", 64, 3),
    (10, 0.001, "blocked", 512, 8),
    (10, 1.0E-9, "classic", 448, 30),
    (100, 0.1, "blocked", 512, 4),
    (100, 1.0E-4, "classic", 1984, 13),
    (100, 1.0E-9, "blocked", 9216, 16),
    (333, 0.01, "classic", 3200, 7),
    (333, 1.0E-4, "blocked", 7680, 12),
    (1000, 0.3, "classic", 2560, 2),
    (1000, 0.01, "blocked", 10752, 6),
    (1000, 1.0E-6, "classic", 28800, 20),
    (5000, 0.3, "blocked", 15360, 4),
    (5000, 0.001, "classic", 72960, 10),
    (5000, 1.0E-6, "blocked", 196608, 16),
    (20000, 0.1, "classic", 96768, 3),
    (20000, 0.001, "blocked", 322560, 8),
    (20000, 1.0E-9, "classic", 887040, 30),
    (123456, 0.1, "blocked", 614400, 4),
    (123456, 1.0E-4, "classic", 2419200, 13),
    (123456, 1.0E-9, "blocked", 10644480, 16),
    (1000000, 0.01, "classic", 9676800, 7),
    (1000000, 1.0E-4, "blocked", 22708224, 12),
)


def keys(count, seed=1):
    return np.random.default_rng(seed).integers(-(1 << 63), 1 << 63, count)


class BuildingTest(unittest.TestCase):
    def test_no_key_is_lost_and_the_rate_holds(self):
        present, absent = keys(20000), keys(200000, seed=2)
        for shape in SHAPES:
            made = bellows.BloomFilter(keys=present, **shape)
            self.assertTrue(made.contains_many(present).all())
            self.assertTrue(int(present[0]) in made)
            passed, rate = int(made.contains_many(absent).sum()), made.expected_fpp
            self.assertLessEqual(rate, shape["fpp"] * 1.3)
            # six standard deviations: 1e-9, and the seeds are fixed
            slack = 6 * math.sqrt(len(absent) * rate) + 6
            self.assertLess(abs(passed - len(absent) * rate), slack, shape)

    def test_the_sizes_are_those_of_java(self):
        for keys_, fpp, layout, bits, hashes in SIZES:
            made = bellows.BloomFilter(keys=keys_, fpp=fpp, layout=layout)
            self.assertEqual((made.bits, made.hashes), (bits, hashes), (keys_, fpp, layout))

    def test_folding_is_building_smaller(self):
        present = keys(500)
        for layout, bits, hashes in (("classic", 8400, 4), ("classic", 64 * 210, 7), ("blocked", 512 * 60, 8)):
            made = bellows.BloomFilter(keys=present, bits=bits, hashes=hashes, layout=layout)
            for size in made.ladder():
                small = bellows.BloomFilter(keys=present, bits=size["bits"], hashes=hashes, layout=layout)
                self.assertEqual(made.fold_to(size["bits"]).to_bytes(), small.to_bytes())
        with self.assertRaisesRegex(ValueError, "nearest"):
            made.fold_by(7)
        with self.assertRaisesRegex(ValueError, "nearest"):
            made.fold_to(1000)

    def test_fold_to_fpp_is_the_smallest_that_holds(self):
        made = bellows.BloomFilter(keys=keys(1000), bits=512 * 5040, hashes=8)
        folded = made.fold_to_fpp(0.02)
        self.assertLessEqual(folded.expected_fpp, 0.02)
        smaller = [size["bits"] for size in made.ladder() if size["bits"] < folded.bits]
        self.assertGreater(made.fold_to(max(smaller)).expected_fpp, 0.02)
        self.assertTrue(folded.contains_many(keys(1000)).all())
        with self.assertRaisesRegex(ValueError, "even the unfolded"):
            folded.fold_to_fpp(1e-9)

    def test_single_keys_and_arrays_do_the_same(self):
        texts = ["key %d" % i for i in range(300)]
        many = bellows.BloomFilter(keys=300, fpp=0.01)
        many.add_many(texts)
        single = bellows.BloomFilter(keys=300, fpp=0.01)
        for text in texts:
            single.add(text)
        self.assertEqual(single.to_bytes(), many.to_bytes())
        self.assertEqual(bellows.BloomFilter(keys=texts, fpp=0.01).to_bytes(), many.to_bytes())
        self.assertEqual(many.info()["keyType"], "text")

    def test_union_has_the_keys_of_both(self):
        one = bellows.BloomFilter(keys=keys(100), bits=512 * 60, hashes=8)
        other = bellows.BloomFilter(keys=keys(100, seed=3), bits=512 * 40, hashes=8)
        both = one.union(other)
        self.assertEqual(both.bits, 512 * 20)
        self.assertTrue(both.contains_many(np.append(keys(100), keys(100, seed=3))).all())
        with self.assertRaises(ValueError):
            one.union(bellows.BloomFilter(keys=10, fpp=0.01))

    def test_the_key_type_follows_the_first_keys(self):
        for values, word in (([1, 2], "longs"), (["a"], "text"), ([b"a"], "bytes"), ([1, "a"], "unknown"), ([1.0], "longs")):
            self.assertEqual(bellows.BloomFilter(keys=values, fpp=0.01).info()["keyType"], word)
        self.assertEqual(bellows.BloomFilter(keys=[1.5], fpp=0.01, doubles=True).info()["keyType"], "unknown")

    def test_a_saved_file_is_read_again_and_replaces_the_old_one(self):
        made = bellows.BloomFilter(keys=keys(5000), fpp=0.01)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "new.bloom")
            pathlib.Path(path).write_bytes(b"old")
            os.chmod(path, 0o640)
            made.save(path)
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)
            self.assertEqual(bellows.open(path).to_bytes(), made.to_bytes())
            self.assertEqual(os.listdir(folder), ["new.bloom"])
            with self.assertRaises(OSError):
                made.save(os.path.join(folder, "missing", "x"))

    def test_a_filter_with_a_secret_key_needs_it_again(self):
        secret = bytes(range(16))
        made = bellows.BloomFilter(keys=["a", "b"], fpp=0.01, secret=secret)
        self.assertTrue("a" in bellows.from_bytes(made.to_bytes(), key=secret))
        self.assertIsNone(made.info()["seed"])
        self.assertNotIn(secret, made.to_bytes())

    def test_an_identified_filter_keeps_its_state(self):
        for name in ("full-bloom-identified", "bloom-identified"):
            found = bellows.open(VECTORS / (name + ".bellows"))
            state = found._state
            found.add_many([])
            self.assertEqual(found._state, state)
            owner = found._is_owner()
            found.add_many(np.arange(50))
            self.assertEqual(found._is_owner(), owner)

    def test_counters_add_up_when_they_fold(self):
        for name in ("counting-classic-840-4", "counting-blocked-8-saturating", "full-counting"):
            found = bellows.open(VECTORS / (name + ".bellows"))
            for size in found.ladder():
                folded = found.fold_to(size["bits"])
                again = bellows.from_bytes(folded.to_bytes())
                self.assertEqual(again._counters.tolist(), folded._counters.tolist())
                plain = bellows.BloomFilter._of(found_origin(found), found._layout, found.bits, found._words)
                self.assertEqual(folded._words.tolist(), plain.fold_to(size["bits"])._words.tolist())

    def test_bad_requests_name_the_way_out(self):
        for arguments in (
            dict(),
            dict(keys=10),
            dict(fpp=0.01),
            dict(keys=10, fpp=0),
            dict(keys=10, fpp=1.5),
            dict(keys=-1, fpp=0.01),
            dict(keys=1 << 60, fpp=1e-9, layout="square"),
            dict(keys=10, fpp=1e-30),
            dict(bits=100, hashes=6),
            dict(bits=512, hashes=5),
            dict(bits=512),
            dict(bits=0, hashes=4, layout="classic"),
            dict(keys=10, fpp=0.01, secret=b"short"),
        ):
            with self.assertRaises(ValueError, msg=arguments):
                bellows.BloomFilter(**arguments)
        with self.assertRaises(TypeError):
            bellows.BloomFilter(keys="text", fpp=0.01)

    def test_empty_filters_and_empty_questions(self):
        empty = bellows.BloomFilter(keys=[], fpp=0.01)
        self.assertFalse(1 in empty)
        self.assertEqual(empty.contains_many([]).tolist(), [])
        self.assertEqual(empty.info()["approximateKeys"], 0.0)


def found_origin(found):
    from bellows._filters import _Origin

    return _Origin(found.scheme)


class FingerprintTest(unittest.TestCase):
    def test_a_cut_filter_loses_no_key_and_has_the_rate(self):
        found = bellows.open(VECTORS / "fingerprint.bellows")
        for fpp in (0.5, 0.3, 0.1, 0.05):
            if found.expected_fpp > fpp:
                continue
            cut = found.fold_to_fpp(fpp)
            self.assertLessEqual(cut.expected_fpp, fpp)
            self.assertTrue(cut.contains_hashes(found._prefixes.bits).all())
            self.assertEqual(bellows.from_bytes(cut.to_bytes()).to_bytes(), cut.to_bytes())
        with self.assertRaisesRegex(ValueError, "cannot be restored"):
            found.fold_to_fpp(1e-12)


class VersionTest(unittest.TestCase):
    def test_the_version_is_written_once(self):
        text = (HERE.parent / "pyproject.toml").read_text()
        self.assertIn('version = "%s"' % bellows.__version__, text)


if __name__ == "__main__":
    unittest.main()

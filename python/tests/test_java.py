"""The command line and this package agree in both directions, on 100,000 random keys.

Runs if the environment names the launcher of the command line: BELLOWS=./bellows. `.ci/run` does.
"""

import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

from support import LAUNCHER, VECTORS, bellows, golden, kind_of

BUILDS = {
    "bloom": ["--fpp", "0.01"],
    "classic": ["--fpp", "0.001", "--layout", "classic"],
    "capacity": ["--fpp", "0.01", "--capacity", "2580480"],
    "counting": ["--kind", "counting", "--fpp", "0.01"],
    "elastic": ["--kind", "elastic", "--capacity", "5160960", "--fpp", "0.01", "--tolerance", "0.5"],
    "scalable": ["--kind", "scalable", "--fpp", "0.01"],
    "fingerprint": ["--kind", "fingerprint", "--fpp", "0.01"],
    "frozen": ["--kind", "frozen", "--fpp", "0.003"],
    "window": ["--kind", "window", "--window", "24h", "--keys", "200000", "--fpp", "0.01"],
    "window-prefixes": ["--kind", "window", "--window", "24h", "--fpp", "0.01"],
    "autoscale": ["--kind", "autoscale", "--bits", "1000000", "--hashes", "8"],
}


def run(*arguments, lines=None):
    text = None if lines is None else "".join("%s\n" % line for line in lines)
    done = subprocess.run([LAUNCHER, *arguments], input=text, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise AssertionError(done.stderr)
    return done.stdout


def same(mine, theirs):
    """Numbers of two computations are the same up to rounding."""
    if isinstance(mine, list):
        return len(mine) == len(theirs) and all(map(same, mine, theirs))
    if isinstance(mine, dict):
        return all(name in theirs and same(value, theirs[name]) for name, value in mine.items())
    if isinstance(mine, float) and theirs is not None:
        return abs(mine - theirs) <= 1e-11 * abs(theirs)
    return mine is None or mine == theirs


class JavaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        random = np.random.default_rng(44)
        cls.folder = tempfile.TemporaryDirectory()
        cls.present = random.integers(-(1 << 63), 1 << 63, 50000)
        cls.asked = np.concatenate([cls.present, random.integers(-(1 << 63), 1 << 63, 50000)])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def java(self, path, keys):
        """Which keys pass in Java."""
        passed = set(run("query", path, lines=keys.tolist()).split())
        return [str(key) in passed for key in keys.tolist()]

    def test_python_reads_what_java_builds(self):
        for name, arguments in BUILDS.items():
            with self.subTest(name=name):
                path = self.path(name)
                run("build", "--longs", *arguments, "-o", path, lines=self.present.tolist())
                found = bellows.open(path)
                self.assertEqual(found.contains_many(self.asked).tolist(), self.java(path, self.asked))
                info = json.loads(run("info", "--json", path))
                mine = found.info()
                for field in mine:
                    self.assertTrue(same(mine[field], info[field]) or field == "ladder" and mine["expectedFpp"] is None, field)

    def test_java_reads_what_python_builds(self):
        for layout in ("blocked", "classic"):
            with self.subTest(layout=layout):
                path = self.path("python-" + layout)
                made = bellows.BloomFilter(keys=self.present, fpp=0.01, layout=layout)
                made.save(path)
                self.assertEqual(self.java(path, self.asked), made.contains_many(self.asked).tolist())
                again = self.path("java-" + layout)
                run("build", "--longs", "--layout", layout, "--bits", str(made.bits), "--hashes", str(made.hashes), "-o", again, lines=self.present.tolist())
                with open(path, "rb") as mine, open(again, "rb") as theirs:
                    self.assertEqual(mine.read(), theirs.read())

    def test_both_fold_to_the_same_bytes(self):
        for name in ("bloom", "capacity", "counting", "fingerprint", "frozen"):
            with self.subTest(name=name):
                path, folded = self.path(name), self.path(name + ".folded")
                if not os.path.exists(path):
                    run("build", "--longs", *BUILDS[name], "-o", path, lines=self.present.tolist())
                run("fold", "--to-fpp", "0.2", path, "-o", folded)
                with open(folded, "rb") as theirs:
                    self.assertEqual(bellows.open(path).fold_to_fpp(0.2).to_bytes(), theirs.read())

    def test_texts_pass_in_both(self):
        texts = ["key %d %s" % (i, "é" * (i % 40)) for i in range(20000)]
        path = self.path("texts")
        bellows.BloomFilter(keys=texts[:10000], fpp=0.01).save(path)
        passed = set(run("query", path, lines=texts).splitlines())
        found = bellows.open(path).contains_many(texts)
        self.assertEqual([text in passed for text in texts], found.tolist())

    def test_numbers_are_refused_by_a_filter_of_texts_that_java_built(self):
        for name, arguments in BUILDS.items():
            with self.subTest(name=name):
                path = self.path(name + ".texts")
                run("build", *arguments, "-o", path, lines=range(100000, 110000))
                found = bellows.open(path)
                with self.assertRaises(TypeError):
                    found.contains_many(np.arange(100000, 110000))
                if found.no_is_certain:
                    self.assertTrue(found.contains_many(np.arange(100000, 110000).astype(str)).all())

    def test_columns_of_integers_pass_in_java(self):
        column = np.array([3, 7, 1 << 52], np.float64)
        path = self.path("column")
        bellows.BloomFilter(keys=column, fpp=0.001).save(path)
        self.assertEqual(run("query", path, lines=[3, 7, 1 << 52]).split(), ["3", "7", str(1 << 52)])

    def test_info_of_golden_files_is_that_of_java(self):
        kinds = {}
        for name, data in golden():
            kinds.setdefault(kind_of(data), (name, data))
        for name, data in kinds.values():
            info = json.loads(run("info", "--json", str(VECTORS / (name + ".bellows"))))
            mine = bellows.from_bytes(data).info()
            for field in mine:
                self.assertTrue(same(mine[field], info.get(field)), (name, field, mine[field], info.get(field)))


def load_tests(loader, tests, pattern):
    if LAUNCHER:
        return tests
    print("the comparison with Java needs the command line: set BELLOWS to its launcher")
    return unittest.TestSuite()


if __name__ == "__main__":
    unittest.main()

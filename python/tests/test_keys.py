"""Keys of another type are refused, columns mean what their values are, and a null is no key.

Real columns of pandas are tested if pandas is installed. Those of Arrow and Polars, which no package
of Debian has, are represented by classes with the methods that their documentation describes.
"""

import importlib.util
import unittest
import uuid

import numpy as np

from support import bellows

KEYS = {
    "text": ["5", np.array(["5"]), np.str_("5")],
    "bytes": [b"5", bytearray(b"5"), np.array([b"5"])],
    "longs": [5, np.int32(5), np.array([5]), np.array([5], np.uint8), 5.0, np.array([5.0, np.nan])],
    "doubles": [5.5, np.array([5.5]), np.array([2.0**53]), np.array([np.inf]), np.array([1e300])],
    "uuids": [uuid.UUID(int=5)],
}
ACCEPTED = {"text": ("text", "bytes"), "bytes": ("text", "bytes"), "longs": ("longs",), "unknown": ("text", "bytes", "longs", "uuids")}


def made(key_type, **more):
    return bellows.BloomFilter(bits=512 * 64, hashes=8, key_type=key_type, **more)


def numbers(count=3000):
    return np.random.default_rng(5).integers(-(1 << 52), 1 << 52, count)


class ArrowColumn:
    """The methods of pyarrow.Array: null_count is a number, and integers with nulls become floats in NumPy."""

    def __init__(self, values):
        self._values = values
        self.null_count = sum(value is None for value in values)

    def to_pylist(self):
        return list(self._values)

    def to_numpy(self):
        return np.array([np.nan if value is None else value for value in self._values])

    def __array__(self, dtype=None, copy=None):
        return self.to_numpy()

    def __len__(self):
        return len(self._values)


class PolarsColumn(ArrowColumn):
    """The methods of polars.Series: null_count is a method."""

    def __init__(self, values):
        super().__init__(values)
        count = self.null_count
        self.null_count = lambda: count

    to_list = ArrowColumn.to_pylist
    to_pylist = property()


class KeyTypeTest(unittest.TestCase):
    def test_a_key_of_another_type_is_refused_by_every_call(self):
        for type_, accepted in ACCEPTED.items():
            found = bellows.from_bytes(made(type_).to_bytes())
            self.assertEqual(found.info()["keyType"], type_)
            for form, values in KEYS.items():
                for value in values:
                    many = value if isinstance(value, np.ndarray) else [value]
                    calls = [lambda: found.contains_many(many), lambda: many[0] in found]
                    if not np.any(np.asarray(many, object) != np.asarray(many, object)):
                        calls += [lambda: made(type_).add_many(many), lambda: bellows.BloomFilter(keys=many, fpp=0.1, key_type=type_)]
                    for call in calls:
                        with self.subTest(type=type_, form=form, value=repr(value)):
                            if form in accepted:
                                call()
                            else:
                                self.assertRaises(TypeError, call)

    def test_the_reported_case(self):
        words = bellows.BloomFilter(keys=[str(i) for i in range(1000)], fpp=0.01)
        with self.assertRaisesRegex(TypeError, "keys of this filter are text, not integers.*str"):
            words.contains_many(np.arange(1000))
        self.assertRaises(TypeError, words.__contains__, 5)
        self.assertRaises(TypeError, words.add, 5)
        self.assertTrue(words.contains_many(np.arange(1000).astype(str)).all())

    def test_hashes_are_not_checked(self):
        words = bellows.BloomFilter(keys=["a"], fpp=0.01)
        self.assertTrue(words.contains_hashes(words.scheme.hashes(["a"])).all())

    def test_the_first_keys_decide_unless_the_type_is_given(self):
        found = made(None)
        found.add(5)
        self.assertRaises(TypeError, found.add, "5")
        anything = made("unknown")
        anything.add(5)
        anything.add("5")
        self.assertTrue(5 in anything and "5" in anything)
        self.assertEqual(anything.info()["keyType"], "unknown")
        self.assertRaises(ValueError, made, "words")

    def test_filters_of_different_types_are_not_merged(self):
        self.assertRaises(ValueError, made("text").union, made("longs"))
        for one, other, both in (("text", "bytes", "bytes"), ("longs", "unknown", "unknown"), ("text", "text", "text")):
            self.assertEqual(made(one).union(made(other)).info()["keyType"], both)

    def test_floats_are_keys_on_request(self):
        values = np.array([0.5, 3.0, -0.0, np.nan])
        found = bellows.BloomFilter(keys=values, fpp=0.001, doubles=True)
        self.assertTrue(found.contains_many(values, doubles=True).all())
        self.assertTrue(found.contains_many(values.tolist(), doubles=True).all())
        self.assertFalse(found.contains_many([3.0, None]).any())
        self.assertRaises(TypeError, bellows.BloomFilter(keys=[3], fpp=0.1).contains_many, [3.0], doubles=True)


class ColumnTest(unittest.TestCase):
    def check(self, column, values):
        """A column answers as its values, and null is not in the filter."""
        present = [value for value in values if value is not None]
        for found in (bellows.BloomFilter(keys=present, fpp=1e-5), made("unknown")):
            if found.info()["keyType"] == "unknown":
                found.add_many(present)
            self.assertEqual(found.contains_many(column).tolist(), [value is not None for value in values])
            if len(present) < len(values):
                self.assertRaises(ValueError, found.add_many, column)
                self.assertRaises(ValueError, bellows.BloomFilter, keys=column, fpp=0.01)
            else:
                found.add_many(column)
        if len(present) == len(values):
            self.assertEqual(bellows.BloomFilter(keys=column, fpp=1e-5).to_bytes(), bellows.BloomFilter(keys=present, fpp=1e-5).to_bytes())


class NullTest(ColumnTest):
    COLUMNS = (
        [3, None, 7],
        [3, 7],
        [None, None],
        [-5, 0, (1 << 53) - 1, None],
        ["a", None, "é"],
        ["a", "b"],
        [b"a", None, b"\xff"],
        [uuid.UUID(int=1), None],
    )
    LARGE = ([(1 << 62) + 1, None, -(1 << 63)], [(1 << 62) + 1, -(1 << 63)])

    def test_lists_and_arrays_of_objects(self):
        for values in self.COLUMNS + self.LARGE:
            with self.subTest(values=values):
                self.check(values, values)
                self.check(np.array(values + [None], object)[:-1], values)
                self.check([np.nan if value is None else value for value in values], values)

    def test_floats_that_were_integers(self):
        for type_ in (np.float64, np.float32):
            self.check(np.array([3, np.nan, 7], type_), [3, None, 7])
            self.check(np.array([3, -0.0, 7], type_), [3, 0, 7])
        found = bellows.BloomFilter(keys=[3, 7], fpp=0.01)
        for wrong in ([3.5], [2.0**53], [-(2.0**53)], [np.inf], np.array([2.0**24], np.float32)):
            with self.assertRaisesRegex(TypeError, "doubles=True"):
                found.contains_many(wrong)
        self.assertTrue(3.0 in found)
        self.assertFalse(None in found)
        self.assertFalse(float("nan") in found)

    def test_masked_arrays(self):
        self.check(np.ma.masked_array([3, 5, 7], [False, True, False]), [3, None, 7])
        self.check(np.ma.masked_array(["a", "b"], [False, True]), ["a", None])
        self.check(np.ma.masked_array([3, 7]), [3, 7])

    def test_strings_of_numpy(self):
        self.check(np.array(["a", "b", "é"]), ["a", "b", "é"])
        self.check(np.array([b"a", b"b"]), [b"a", b"b"])
        if hasattr(np.dtypes, "StringDType") if hasattr(np, "dtypes") else False:
            self.check(np.array(["a", "b" * 40], np.dtypes.StringDType()), ["a", "b" * 40])
            for null in (None, np.nan):
                nullable = np.dtypes.StringDType(na_object=null)
                self.check(np.array(["a", null, "b" * 40], nullable), ["a", None, "b" * 40])

    def test_columns_that_follow_the_protocols_of_arrow_and_polars(self):
        for values in self.COLUMNS + self.LARGE:
            for column in (ArrowColumn, PolarsColumn):
                if values != [None, None] and not any(isinstance(value, (bytes, uuid.UUID)) for value in values):
                    with self.subTest(values=values, column=column):
                        self.check(column(values), values)

    def test_the_same_answers_for_a_million_and_for_one(self):
        values = numbers()
        found = bellows.BloomFilter(keys=values, fpp=0.01)
        asked = np.append(values, values + 1)
        floats = asked.astype(np.float64)
        self.assertEqual(found.contains_many(floats).tolist(), found.contains_many(asked).tolist())
        self.assertEqual([key in found for key in asked[::50].tolist()], found.contains_many(asked[::50]).tolist())


class PandasTest(ColumnTest):
    def test_every_column_type(self):
        import pandas as pd

        integers = [3, None, 7]
        self.check(pd.Series(integers), integers)
        self.assertEqual(pd.Series(integers).dtype.kind, "f")
        for type_ in ("Int64", "Int32", "UInt16", "UInt64", "Float64", object):
            self.check(pd.Series(integers, dtype=type_), integers)
            self.check(pd.Series([3, 7], dtype=type_), [3, 7])
            self.check(pd.Index(pd.Series(integers, dtype=type_)), integers)
            self.check(pd.array([3, 7], dtype=type_), [3, 7])
        large = [(1 << 62) + 1, None, -(1 << 63)]
        self.check(pd.Series(large, dtype="Int64"), large)
        self.check(pd.Series([(1 << 64) - 1, None], dtype="UInt64"), [(1 << 64) - 1, None])
        for type_ in ("string", object, "category"):
            self.check(pd.Series(["a", None, "b"], dtype=type_), ["a", None, "b"])
        self.check(pd.Series([3, 7, None], dtype="category"), [3, 7, None])
        for wrong in (pd.Series([True, None], dtype="boolean"), pd.Series([True]), pd.Series(pd.to_datetime(["2020-01-01", None]))):
            self.assertRaises(TypeError, made("unknown").contains_many, wrong)


def load_tests(loader, tests, pattern):
    if importlib.util.find_spec("pandas"):
        return tests
    print("columns of pandas are not tested: it is not installed")
    return unittest.TestSuite([loader.loadTestsFromTestCase(case) for case in (KeyTypeTest, NullTest)])


if __name__ == "__main__":
    unittest.main()

"""What a caller passes as keys: arrays, columns of data frames and lists, with or without nulls.

A column is what its values mean: integers that became floats because one of them is missing are
integers, whatever library holds them. No library but NumPy is imported; columns of others are
recognized by their methods.
"""

import uuid

import numpy as np

from ._hashing import as_array

LONGS, TEXT, BYTES, DOUBLES, UUIDS = "integers", "text", "bytes", "floats", "UUIDs"
# By the number of a key type in files: its word, what such a filter accepts, and the way out.
KEY_TYPES = ("unknown", "text", "longs", "ids", "bytes")
_ACCEPTED = (None, {TEXT, BYTES}, {LONGS}, {LONGS}, {TEXT, BYTES})
_WAY_OUT = (None, "pass text, e.g. [str(key) for key in keys]", "pass integers, e.g. [int(key) for key in keys]", "pass ids, which are integers", "pass bytes or text")
_FORMS = ((int, LONGS), (np.integer, LONGS), (float, DOUBLES), (np.floating, DOUBLES), (str, TEXT), ((bytes, bytearray, memoryview), BYTES), (uuid.UUID, UUIDS))
_PLAIN = {int: LONGS, str: TEXT, bytes: BYTES, uuid.UUID: UUIDS}
_OF_KIND = {"i": LONGS, "u": LONGS, "f": DOUBLES, "U": TEXT, "S": BYTES}


class Keys:
    """Keys in one array, the forms that occur in it, and which of them are null (None: none is)."""

    def __init__(self, keys, doubles=False):
        array, self.nulls = _column(keys)
        if array.dtype.kind == "O":
            array = self._objects(array, doubles)
        elif array.dtype.kind == "f" and not doubles:
            missing = np.isnan(array)
            array = _whole(np.where(missing, 0, array), array.dtype)
            self._mark(missing)
        self.array = array
        if array.dtype.kind != "O":
            self.forms = set() if self.nulls is not None and self.nulls.all() or len(array) == 0 else {_OF_KIND[array.dtype.kind]}

    def _mark(self, missing):
        if missing.any():
            self.nulls = missing if self.nulls is None else self.nulls | missing

    def _objects(self, array, doubles):
        """Objects: what each of them is, and those that are null replaced."""
        values = array.tolist()
        self._mark(np.fromiter((_is_null(value, doubles) for value in values), bool, len(values)))
        present = values if self.nulls is None else [value for value, null in zip(values, self.nulls) if not null]
        self.forms = {_form(type_) for type_ in {type(value) for value in present}}
        if DOUBLES in self.forms and not doubles:
            values = [int(_whole(np.array([v]), np.float64)[0]) if isinstance(v, (float, np.floating)) and v == v else v for v in values]
            self.forms = self.forms - {DOUBLES} | {LONGS}
        if self.nulls is not None:
            filler = 0 if self.forms <= {LONGS} else b""
            values = [filler if null else value for value, null in zip(values, self.nulls)]
        return as_array(values)

    def hashes(self, scheme, key_type):
        """The hashes of the keys for a filter whose keys have a type; those of nulls mean nothing."""
        accepted = _ACCEPTED[key_type]
        if accepted is not None and not self.forms <= accepted:
            raise TypeError(
                "the keys of this filter are %s, not %s: %s"
                % (KEY_TYPES[key_type], " and ".join(sorted(self.forms - accepted)), _WAY_OUT[key_type])
            )
        return scheme.hashes(self.array)

    def require_present(self):
        """Refuses nulls, which cannot be put."""
        if self.nulls is not None:
            raise ValueError(
                "%d of %d keys are null, first at index %d: a null is not a key, so drop them first, e.g. with dropna()"
                % (self.nulls.sum(), len(self.nulls), int(np.argmax(self.nulls)))
            )

    @property
    def key_type(self):
        """The type that a file records for keys like these; 0 if there is none."""
        types = {frozenset({TEXT}): 1, frozenset({LONGS}): 2, frozenset({BYTES}): 4}
        return types.get(frozenset(self.forms), 0)


def hash_one(scheme, key_type, key):
    """The hash of one key; None for a null."""
    form = _PLAIN.get(type(key))
    accepted = _ACCEPTED[key_type]
    if form is not None and (accepted is None or form in accepted):
        return scheme.hash(key)
    keys = Keys([key])
    return None if keys.nulls is not None else int(keys.hashes(scheme, key_type)[0])


def _column(keys):
    """An array of one dimension, and which of its values are null (None if the array says itself)."""
    if isinstance(keys, np.ma.MaskedArray):
        if keys.dtype.kind in "iuf":
            return as_array(keys.filled(0)), np.ma.getmaskarray(keys) if np.any(keys.mask) else None
        return _list(keys.tolist()), None
    if isinstance(keys, np.ndarray):
        # variable-width strings of NumPy 2, whose nulls are any object
        return as_array(keys.astype(object) if keys.dtype.kind == "T" else keys), None
    if hasattr(keys, "isna") and hasattr(keys, "to_numpy"):
        # pandas: a nullable column of integers knows its nulls apart from its values
        kind = getattr(keys.dtype, "kind", "O")
        if kind in ("i", "u") and not isinstance(keys.dtype, np.dtype):
            nulls = np.asarray(keys.isna(), bool)
            integers = np.int64 if kind == "i" else np.uint64
            return as_array(keys.to_numpy(dtype=integers, na_value=0) if nulls.any() else keys.to_numpy(dtype=integers)), nulls if nulls.any() else None
        return as_array(keys.to_numpy()), None
    for to_list in ("to_pylist", "to_list"):
        # Arrow and Polars: with nulls, an array of integers would become one of floats
        if hasattr(keys, to_list) and hasattr(keys, "null_count"):
            count = keys.null_count() if callable(keys.null_count) else keys.null_count
            if count:
                return _list(getattr(keys, to_list)()), None
            return as_array(np.asarray(keys)), None
    if hasattr(keys, "to_numpy"):
        return as_array(keys.to_numpy()), None
    if hasattr(keys, "__array__") and not isinstance(keys, (str, bytes)):
        return as_array(np.asarray(keys)), None
    return as_array(keys), None


def _list(values):
    """A list with nulls, as objects."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _whole(values, dtype):
    """Floats as the integers that they are; refused if one of them is not, or may have been rounded."""
    limit = 2.0 ** (np.finfo(dtype).nmant + 1)
    values = np.asarray(values, np.float64)
    wrong = ~((np.abs(values) < limit) & (np.floor(values) == values))
    if wrong.any():
        raise TypeError(
            "the float %r is not a whole number below 2^%d, so these keys are not integers: pass integers, or doubles=True for keys that are floats"
            % (float(values[np.argmax(wrong)]), np.log2(limit))
        )
    return values.astype(np.int64)


def _is_null(value, doubles):
    """None, NaN, and what pandas and NumPy have instead."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return not doubles and isinstance(value, (float, np.floating)) and value != value


def _form(type_):
    if not issubclass(type_, (bool, np.bool_)):
        for types, form in _FORMS:
            if issubclass(type_, types):
                return form
    raise TypeError("%s is not a key: use an int, a float, a str, bytes or a UUID" % type_.__name__)

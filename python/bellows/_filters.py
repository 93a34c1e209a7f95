"""Filters of bits and counters: kinds 1, 2, 3, 4, 5, 8 and 10."""

import math
import os
import tempfile

import numpy as np

from . import _rates
from ._bits import (
    WIDTHS,
    content_hash,
    fold_words,
    pack_counters,
    pack_flags,
    set_words,
    test_at,
    test_one,
    test_words,
    unpack_counters,
)
from ._container import Container, FormatError, as_words, encode, word_count
from ._hashing import CHUNK, Scheme, blocked_masks, blocked_positions, classic_positions, distinct_positions
from ._keys import KEY_TYPES, Keys, hash_one

MOST_HASHES = 1 << 16
MOST_BITS = 64 * ((1 << 31) - 9)


class Filter:
    """A filter of any kind: `key in filter`, `contains_many(keys)`, `info()` and `save(path)`.

    A "no" is certain, unless `no_is_certain` is false.
    """

    kind = None
    no_is_certain = True

    def __init__(self, container, data=None):
        self.scheme = container.scheme
        self.key_type = container.key_type
        self._data = data

    # ---- queries

    def __contains__(self, key):
        """Whether the key may be in the filter."""
        return bool(self.contains_many([key])[0])

    def contains_many(self, keys, doubles=False):
        """An array of booleans: for each key whether it may be in the filter.

        Keys are an array of NumPy or Arrow, a column of pandas or Polars, or a list, of integers,
        texts, bytes or UUIDs. If the filter knows the type of its keys, others raise a TypeError.
        A null (None, NaN, NA) is not in the filter. Floats are integers that a null turned into
        floats; others raise a TypeError, unless doubles is true: then they are keys as floats.
        """
        keys = Keys(keys, doubles)
        found = self._contains(keys)
        if keys.nulls is not None:
            found[keys.nulls] = False
        return found

    def _contains(self, keys):
        return self.contains_hashes(keys.hashes(self.scheme, self.key_type))

    def contains_hashes(self, hashes):
        """The same for 64-bit hashes."""
        raise NotImplementedError

    # ---- files

    def to_bytes(self):
        """The bytes of its file."""
        return bytes(self._data)

    def save(self, path):
        """Writes it to a file: to a temporary one first, which then replaces the old one."""
        path = os.fspath(path)
        data = self.to_bytes()
        handle, name = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".bellows-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            try:
                mode = os.stat(path).st_mode & 0o777
            except FileNotFoundError:
                mask = os.umask(0)
                os.umask(mask)
                mode = 0o666 & ~mask
            os.chmod(name, mode)
            os.replace(name, path)
        except BaseException:
            try:
                os.unlink(name)
            except FileNotFoundError:
                pass
            raise

    # ---- numbers

    def info(self):
        """What `bellows info --json` prints, as far as this package computes it; None is unknown."""
        keyed = self.scheme.id == 2
        info = {
            "kind": self.kind,
            "layout": None,
            "pattern": None,
            "bits": None,
            "hashes": None,
            "scheme": self.scheme.word,
            "seed": None if keyed else _signed(self.scheme.identity),
            "keyTag": "%016x" % self.scheme.identity if keyed else None,
            "keyType": KEY_TYPES[self.key_type],
            "ones": None,
            "fill": None,
            "approximateKeys": None,
            "expectedFpp": None,
            "bytes": len(self.to_bytes()),
        }
        info.update(self._own_info())
        if info["ones"] is not None and info["ones"] == info["bits"]:
            info["approximateKeys"] = None
        if "ladder" not in info:
            info["ladder"] = [{"bits": info["bits"], "expectedFpp": info["expectedFpp"]}]
        return info

    def _own_info(self):
        return {}

    @property
    def expected_fpp(self):
        """The false positive rate of this filter, from its actual fill; None if this package does not compute it."""
        return self._own_info().get("expectedFpp")

    def fold_to_fpp(self, fpp):
        """The smallest folding with at most this rate, of kinds that fold."""
        raise TypeError("a filter of kind %s does not fold in Python: use `bellows fold`" % self.kind)

    def __repr__(self):
        shown = {name: value for name, value in self._own_info().items() if name in ("bits", "hashes", "expectedFpp")}
        return "<bellows %s filter%s>" % (self.kind, "".join(", %s %s" % item for item in shown.items()))


def _signed(number):
    return number - (1 << 64) if number >> 63 else number


def read_shape(container, own, sections, classic=False):
    """The layout and the bits that the first parameters describe."""
    container.expect(4 + own, sections)
    number = container.parameter(0, "layout", 0, 0 if classic else 1)
    bits = container.parameter(1, "bits", 1, MOST_BITS)
    hashes = container.parameter(2, "hashes", 1, MOST_HASHES)
    words = container.parameter(3, "words of the pattern", 0, 8)
    if number == 0:
        if words:
            raise container.error(3, "words of the pattern %d: CLASSIC has none" % words)
        return _rates.Classic(hashes), bits
    if words not in (1, 2, 4, 8) or hashes % words or not 1 <= hashes // words <= 6:
        raise container.error(3, "%d hashes in %d words are not a block pattern" % (hashes, words))
    if bits % 512:
        raise container.error(1, "BLOCKED sizes are multiples of 512 bits, not %d" % bits)
    return _rates.Blocked(words, hashes // words), bits


def shape_parameters(layout, bits):
    words = layout.pattern[0] if layout.pattern else 0
    return [1 if layout.pattern else 0, bits, layout.hashes, words]


def shape_info(layout, bits):
    return {
        "layout": layout.family,
        "pattern": "%dx%d" % layout.pattern if layout.pattern else None,
        "bits": bits,
        "hashes": layout.hashes,
    }


class _Foldable(Filter):
    """A filter of cells that folds to the divisors of their number."""

    def __init__(self, container, data, layout, bits):
        super().__init__(container, data)
        self._layout = layout
        self.bits = bits
        self.hashes = layout.hashes
        self.filter_id = container.id
        self._state = container.state

    def _occupied(self):
        """The words whose ones are the cells that are not empty."""
        raise NotImplementedError

    def contains_hashes(self, hashes):
        return test_words(self._occupied(), hashes, self.bits, self._layout)

    @property
    def expected_fpp(self):
        """The false positive rate of this filter, from its actual fill."""
        return self._fpp(self._occupied(), self.bits)

    def _fpp(self, words, bits):
        keys = self._layout.keys_from_ones(bits, _rates.ones_of(words))
        return _rates.with_hash_floor(self._layout.rate(words, bits), keys)

    @property
    def approximate_keys(self):
        """The estimated number of distinct keys."""
        return self._layout.keys_from_ones(self.bits, _rates.ones_of(self._occupied()))

    def ladder(self):
        """The sizes it folds to, ascending, each with the rate to expect there."""
        words = self._occupied()
        ones = _rates.ones_of(words)
        keys = self._layout.keys_from_ones(self.bits, ones)
        sizes = []
        for cells in _rates.divisors(self.bits // self._layout.cell_bits):
            bits = cells * self._layout.cell_bits
            if bits == self.bits and self._layout.pattern:
                rate = self._layout.rate(words, bits)
            else:
                rate = self._layout.rate_folded(self.bits, ones, self.bits // bits)
            sizes.append({"bits": bits, "expectedFpp": _rates.with_hash_floor(rate, keys)})
        return sizes

    def _own_info(self):
        ones = _rates.ones_of(self._occupied())
        info = shape_info(self._layout, self.bits)
        info.update(
            ones=ones,
            fill=ones / self.bits,
            approximateKeys=self.approximate_keys,
            expectedFpp=self.expected_fpp,
            ladder=self.ladder(),
        )
        return info

    def __repr__(self):
        return "<bellows %s filter, bits %d, hashes %d>" % (self.kind, self.bits, self.hashes)

    def fold_by(self, factor):
        """The filter folded by a factor: bit for bit the one that would have been built smaller."""
        factor = int(factor)
        cells = self.bits // self._layout.cell_bits
        if factor < 1 or cells % factor:
            near = [f for f in _rates.divisors(cells)]
            near = sorted(sorted(near, key=lambda f: abs(f - factor))[:3])
            raise ValueError(
                "cannot fold %d bits by %d: it does not divide the %d cells; the nearest factors are %s"
                % (self.bits, factor, cells, near)
            )
        return self._folded(factor)

    def fold_to(self, bits):
        """The filter folded to a size on its ladder."""
        if bits < 1 or self.bits % bits or bits % self._layout.cell_bits:
            near = sorted((size["bits"] for size in self.ladder()), key=lambda size: abs(size - bits))[:3]
            raise ValueError("cannot fold %d bits to %d: the nearest sizes on its ladder are %s" % (self.bits, bits, sorted(near)))
        return self.fold_by(self.bits // bits)

    def fold_to_fpp(self, fpp):
        """The smallest folding whose rate, from its actual fill, is at most fpp."""
        fpp = _rates.check_fpp(fpp)
        words = self._occupied()
        for size in self.ladder():
            # the expected rate may be off by chance: the actual fill of a folding decides
            if size["expectedFpp"] <= 2 * fpp:
                bits = size["bits"]
                if self._fpp(fold_words(words, self.bits, self.bits // bits), bits) <= fpp:
                    return self._folded(self.bits // bits)
        raise ValueError("no folding has fpp %s: even the unfolded %d bits have %s" % (fpp, self.bits, self.expected_fpp))


def merged_type(one, other):
    """The type of the keys of two filters together: bytes for text and bytes, unknown if one is."""
    if one == other or not one or not other:
        return one if one == other else 0
    if {one, other} == {1, 4}:
        return 4
    raise ValueError("keys are %s here and %s there, so a query could find only one of the two" % (KEY_TYPES[one], KEY_TYPES[other]))


class _Origin:
    """Replaces the container in a filter that was not read from a file."""

    def __init__(self, scheme, key_type=0, id_=0, state=0):
        self.scheme, self.key_type, self.id, self.state = scheme, key_type, id_, state


def _distinct(hashes):
    ordered = np.sort(hashes)
    return len(ordered) and 1 + int((ordered[1:] != ordered[:-1]).sum())


class BloomFilter(_Foldable):
    """A plain Bloom filter, kind 1.

    >>> seen = BloomFilter(keys=1_000_000, fpp=0.01)
    >>> seen.add("alice@example.org")
    >>> "alice@example.org" in seen
    True

    keys: the number of keys to expect, or the keys themselves, which are then put.
    fpp: the false positive rate with all keys in the filter.
    bits, hashes: the exact shape instead of keys and fpp.
    layout: "blocked" (one cache line per key) or "classic" (fewest bits).
    seed: of the hash; secret: 16 bytes instead, for keys that an adversary may choose.
    doubles: floats are keys of their own; by default they are integers, or refused.
    key_type: "text", "longs" or "bytes"; by default, the first keys that are put decide. Keys of
        another type are then refused. With "unknown", the filter accepts keys of any type.

    A null among the keys raises a ValueError.
    """

    kind = "bloom"

    def __init__(self, keys=None, fpp=None, *, bits=None, hashes=None, layout="blocked", seed=0, secret=None, doubles=False, key_type=None):
        scheme = Scheme.seeded(seed) if secret is None else Scheme.secret(secret)
        if key_type not in (None, "unknown", "text", "longs", "bytes"):
            raise ValueError("key_type must be text, longs, bytes or unknown: %r" % (key_type,))
        type_ = 0 if key_type is None else KEY_TYPES.index(key_type)
        values = found = None
        if keys is not None and not isinstance(keys, (int, np.integer)):
            values = Keys(keys, doubles)
            values.require_present()
            found = values.hashes(scheme, type_)
            keys = _distinct(found)
        if bits is None:
            if keys is None or fpp is None:
                raise ValueError("not enough settings: pass keys and fpp, or bits and hashes")
            fpp = _rates.check_fpp(fpp)
            if keys < 0:
                raise ValueError("keys must be at least 0: %d" % keys)
            chosen = _rates.layout(layout, fpp=fpp) if hashes is None else _rates.layout(layout, hashes=hashes)
            bits = _rates.foldable_bits(chosen, int(keys), fpp)
        else:
            if hashes is None and fpp is None:
                raise ValueError("not enough settings: pass bits and hashes, or bits and fpp")
            if hashes is not None and not 1 <= hashes <= MOST_HASHES:
                raise ValueError("hashes must be in [1, %d]: %d" % (MOST_HASHES, hashes))
            chosen = _rates.layout(layout, hashes=hashes) if hashes is not None else _rates.layout(layout, fpp=_rates.check_fpp(fpp))
            if bits < 1 or bits % chosen.cell_bits:
                raise ValueError("%s sizes are multiples of %d bits, not %d" % (layout, chosen.cell_bits, bits))
        super().__init__(_Origin(scheme, type_), None, chosen, int(bits))
        self._takes_any = key_type == "unknown"
        self._words = np.zeros(word_count(self.bits), np.uint64)
        if found is not None:
            self._note_type(values)
            set_words(self._words, found, self.bits, chosen)

    @classmethod
    def _of(cls, origin, layout, bits, words):
        made = cls.__new__(cls)
        _Foldable.__init__(made, origin, None, layout, bits)
        made._words = words
        made._takes_any = False
        return made

    @classmethod
    def _read(cls, container, data):
        layout, bits = read_shape(container, 0, 1)
        return cls._of(container, layout, bits, container.words(0, bits))

    def _occupied(self):
        return self._words

    def __contains__(self, key):
        # one key: plain integers are faster than arrays of one
        h, words = hash_one(self.scheme, self.key_type, key), self._words
        if h is None:
            return False
        if self._layout.pattern:
            return all(int(words[word]) & mask == mask for word, mask in blocked_masks(h, self.bits, *self._layout.pattern))
        return test_one(words, classic_positions(h, self.bits, self.hashes))

    # ---- puts

    def add(self, key):
        """Puts a key."""
        self.add_many([key])

    def add_many(self, keys, doubles=False):
        """Puts every key of an array, a column or a list, as `contains_many` takes them; a null raises a ValueError."""
        keys = Keys(keys, doubles)
        keys.require_present()
        found = keys.hashes(self.scheme, self.key_type)
        owner = self._is_owner()
        if len(found) == 0:
            return
        if not self._words.flags.writeable:
            self._words = self._words.copy()
        self._note_type(keys)
        set_words(self._words, found, self.bits, self._layout)
        if owner:
            self._state = content_hash(self._words)

    def _is_owner(self):
        """Whether this is an unfolded filter with an id."""
        return self.filter_id != 0 and self._state == content_hash(self._words)

    def _note_type(self, keys):
        """The type of the keys, recorded in the file: the first keys decide."""
        if not (self.key_type or self._takes_any or _rates.ones_of(self._words)):
            self.key_type = keys.key_type

    # ---- folding and merging

    def _folded(self, factor):
        origin = _Origin(self.scheme, self.key_type, self.filter_id, self._state)
        words = self._words.copy() if factor == 1 else fold_words(self._words, self.bits, factor)
        return BloomFilter._of(origin, self._layout, self.bits // factor, words)

    def union(self, other):
        """A filter with the keys of both, at the greatest common divisor of their sizes."""
        if self.scheme != other.scheme or shape_parameters(self._layout, 0) != shape_parameters(other._layout, 0):
            raise ValueError("filters of different layouts, hashes or hash schemes cannot be merged: build one like the other")
        key_type = merged_type(self.key_type, other.key_type)
        bits = math.gcd(self.bits, other.bits)
        words = fold_words(self._words, self.bits, self.bits // bits) | fold_words(other._words, other.bits, other.bits // bits)
        merged = BloomFilter._of(_Origin(self.scheme, key_type), self._layout, bits, words)
        if merged.expected_fpp > 0.5:
            raise ValueError("%d and %d bits both fold to %d bits, where the union would have fpp %.3g: build both for the number of keys of both" % (self.bits, other.bits, bits, merged.expected_fpp))
        return merged

    def to_bytes(self):
        parameters = shape_parameters(self._layout, self.bits)
        words = np.ascontiguousarray(self._words, "<u8").view(np.uint8)
        return encode(1, self.scheme, self.key_type, parameters, [words], self.filter_id, self._state)


class CountingBloomFilter(_Foldable):
    """A filter of counters, kind 2: a key is in it if none of its counters is zero."""

    kind = "counting"

    def __init__(self, origin, layout, bits, counters, width, widens):
        super().__init__(origin, None, layout, bits)
        self._counters = counters
        self._width = width
        self._widens = widens
        self._words = pack_flags(counters != 0)

    @classmethod
    def _read(cls, container, data):
        layout, bits = read_shape(container, 2, 1)
        widens = container.parameter(5, "widening", 0, 1)
        counters, width = read_counters(container, bits)
        return cls(container, layout, bits, counters, width, widens)

    def _occupied(self):
        return self._words

    def _folded(self, factor):
        """Counters add up; a saturated one stays saturated, unless counters widen on demand."""
        width = self._width
        stripes = self._counters.reshape(factor, -1)
        saturated = np.logical_or.accumulate(stripes == (1 << width) - 1, axis=0)
        sums = np.where(saturated, 0, np.cumsum(stripes, axis=0, dtype=np.uint64))
        if factor == 1:
            sums = stripes[0].copy()
        else:
            highest = int(sums.max())
            while self._widens and width < 32 and highest >= (1 << width) - 1:
                width *= 2
            most = (1 << width) - 1
            sums = np.where(saturated[-1], most, np.minimum(sums[-1], most)).astype(np.uint64)
        origin = _Origin(self.scheme, self.key_type, self.filter_id, self._state)
        return CountingBloomFilter(origin, self._layout, self.bits // factor, sums, width, self._widens)

    def _own_info(self):
        return dict(super()._own_info(), counterBits=self._width)

    def to_bytes(self):
        parameters = shape_parameters(self._layout, self.bits) + [self._width, self._widens]
        packed = pack_counters(self._counters, self._width)
        return encode(2, self.scheme, self.key_type, parameters, [packed], self.filter_id, self._state)


def read_counters(container, bits):
    """The counters of the only section; their width is parameter 4."""
    width = container.parameter(4, "counter bits", 4, 32)
    if width not in WIDTHS:
        raise container.error(4, "counters have 4, 8, 16 or 32 bits, not %d" % width)
    data = np.frombuffer(container.section(0, 8 * word_count(bits * width)), np.uint8)
    counters = unpack_counters(data, width, bits)
    if bits * width % 64 and int(as_words(data, 0)[-1]) >> bits * width % 64:
        raise container.error(1, "ones follow the last of %d counters" % bits)
    return counters, width


def read_part(data, at, container, kinds):
    """A filter inside another one, and where it ends."""
    part = Container(data, at, container.key, container.max_bytes)
    if part.kind not in kinds:
        raise FormatError(at, "a filter of kind %d inside one of kind %d" % (part.kind, container.kind))
    return part, (BloomFilter if part.kind == 1 else CountingBloomFilter)._read(part, data)


class ElasticBloomFilter(Filter):
    """A capacity filter and its folded view, kind 3; the view answers."""

    kind = "elastic"

    @classmethod
    def _read(cls, container, data):
        layout, bits = read_shape(container, 10, 1)
        if container.state:
            raise container.error(0, "a filter of kind elastic has no state of its own")
        view_bits = container.parameter(4, "view bits", 1, bits)
        fpp, tolerance = container.probability(5, "fpp"), container.real(6, "tolerance")
        container.parameter(7, "policy", 0, 2)
        frozen = container.parameter(8, "frozen", 0, 1)
        step = container.real(9, "step")
        if not 0 < tolerance < 1 and tolerance != 0 or not (step == 0 or 1 <= step <= 2):
            raise container.error(9, "tolerance %s or step %s is out of range" % (tolerance, step))
        for index in range(10, 14):
            container.parameter(index, "history", 0, (1 << 63) - 1)
        if container.parameters[11] > container.parameters[10]:
            raise container.error(11, "%d keys in the band of %d" % tuple(container.parameters[11:9:-1]))
        if bits % view_bits or view_bits % layout.cell_bits:
            raise container.error(4, "view bits %d are not a size that the capacity folds to" % view_bits)
        stored = view_bits if frozen else bits
        table = container.source(0)
        sent, before = [], 0
        for _ in range(table.count()):
            size = table.number(stored)
            if size <= before or stored % size or size % layout.cell_bits:
                raise container.error(4, "a size of %d bits was not sent" % size)
            sent.append(size)
            before = size
        table.end()
        part, body = read_part(data, container.end, container, (1, 2))
        if (
            body.bits != stored
            or shape_parameters(body._layout, 0) != shape_parameters(layout, 0)
            or body.scheme != container.scheme
            or body.filter_id != container.id
        ):
            raise container.error(4, "the filter inside does not have the shape and id of the header")
        made = cls(container, data[container.start : part.end])
        made.end = part.end
        made.capacity = bits
        made.view = body if frozen else body.fold_to(view_bits)
        made._own = {"fpp": fpp, "capacity": bits, "viewBits": view_bits, "frozen": bool(frozen), "sent": sent}
        return made

    def contains_hashes(self, hashes):
        return self.view.contains_hashes(hashes)

    def _own_info(self):
        view = self.view._own_info()
        del view["ladder"]
        view.pop("counterBits", None)
        view["approximateKeys"] = None
        return dict(view, **self._own)


class FoldedFilters(Filter):
    """Several foldings of one filter, kind 10, or 17 with a version: a key is in it if all of them have it."""

    kind = "folded"
    version = None

    @classmethod
    def _read(cls, container, data):
        has_version = container.kind == 17
        container.expect(2 if has_version else 1, 0)
        count = container.parameter(0, "foldings", 1, 4096)
        parts, at = [], container.end
        for _ in range(count):
            part, found = read_part(data, at, container, (1,))
            at = part.end
            same = parts[0] if parts else found
            if (
                (found.filter_id, found._state) != (container.id, container.state)
                or found.scheme != container.scheme
                or found.key_type != container.key_type
                or shape_parameters(found._layout, 0) != shape_parameters(same._layout, 0)
            ):
                raise container.error(0, "the foldings belong to another filter or state than the header says")
            if parts and parts[-1].bits <= found.bits:
                raise container.error(0, "the foldings are not in descending order of size")
            parts.append(found)
        if not container.id and count > 1:
            raise container.error(0, "foldings of a filter without an id")
        made = cls(container, data[container.start : at])
        made.end = at
        made.parts = parts
        if has_version:
            made.kind = "parts"
            made.version = container.parameter(1, "version", 0, (1 << 63) - 1)
        return made

    def contains_hashes(self, hashes):
        return np.logical_and.reduce([part.contains_hashes(hashes) for part in self.parts])

    def _own_info(self):
        first = self.parts[0]
        info = shape_info(first._layout, sum(part.bits for part in self.parts))
        info["sizes"] = sorted(part.bits for part in self.parts)
        info["filterId"] = _signed(first.filter_id)
        info["state"] = "%016x" % first._state
        if self.version is not None:
            info["version"] = self.version
        return info


class ScalableBloomFilter(Filter):
    """Levels of bits, kind 8: a key is in a series if a level has it, and in the filter if all series have it."""

    kind = "scalable"

    @classmethod
    def _read(cls, container, data):
        layout, bits = read_shape(container, 3, 2)
        initial = container.parameter(4, "initial keys", 1, (1 << 63) - 1)
        fpp = container.probability(5, "fpp")
        if fpp <= 2.0**-64:
            raise container.error(5, "fpp %s cannot be reached: a key is one 64-bit hash" % fpp)
        container.parameter(6, "horizon", 1, (1 << 63) - 1)
        if layout.pattern and dict((w * b, (w, b)) for _, (w, b) in _rates.BANDS).get(layout.hashes) != layout.pattern:
            raise container.error(3, "a growing filter with %d hashes has another pattern" % layout.hashes)
        if bits % layout.unit_bits or bits > 1 << 36:
            raise container.error(1, "a first level of %d bits, which is not a multiple of %d" % (bits, layout.unit_bits))
        table, words = container.source(0), container.source(1)
        series = []
        for _ in range(_some(table)):
            levels, newest = [], 1 << 12
            for _ in range(_some(table)):
                newest = table.number(newest)
                size = table.number(1 << 36)
                capacity = table.number()
                keys = table.number(capacity)
                if size < 1 or capacity < 1 or size % layout.cell_bits:
                    raise FormatError(table.offset, "a level of %d bits for %d keys" % (size, capacity))
                levels.append((newest, size, capacity, keys, words.words(size)))
            series.append(levels)
        table.end()
        words.end()
        made = cls(container, data[container.start : container.end])
        made._layout, made._series, made._initial, made._fpp = layout, series, initial, fpp
        return made

    def contains_hashes(self, hashes):
        return np.logical_and.reduce(
            [
                np.logical_or.reduce([test_words(words, hashes, bits, self._layout) for _, bits, _, _, words in levels])
                for levels in self._series
            ]
        )

    def _level(self, bits, words):
        rate = self._layout.rate(words, bits)
        return _rates.with_hash_floor(rate, self._layout.keys_from_ones(bits, _rates.ones_of(words)))

    def _own_info(self):
        levels = [level for one in self._series for level in one]
        bits = sum(level[1] for level in levels)
        ones = sum(_rates.ones_of(level[4]) for level in levels)
        worst = max(-math.expm1(sum(_log_miss(self._level(bits_, words)) for _, bits_, _, _, words in one)) for one in self._series)
        info = shape_info(self._layout, bits)
        info.update(ones=ones, fill=ones / bits, expectedFpp=worst, fpp=self._fpp, initialKeys=self._initial)
        if len(self._series) == 1:
            info["approximateKeys"] = info["keys"] = float(sum(level[3] for level in levels))
            info["levels"] = [
                {"index": index, "bits": bits_, "capacity": capacity, "keys": keys, "expectedFpp": self._level(bits_, words)}
                for index, bits_, capacity, keys, words in levels
            ]
        return info


def _some(table):
    count = table.count()
    if count < 1:
        raise FormatError(table.offset, "the table is empty")
    return count


def _log_miss(rate):
    return math.log1p(-rate) if rate < 1 else -math.inf


class _Graded(Filter):
    """A filter that accepts a key if enough of its distinct positions are hit; it may miss keys."""

    no_is_certain = False

    def contains_hashes(self, hashes):
        answers = np.empty(len(hashes), bool)
        for at in range(0, len(hashes), CHUNK):
            part = hashes[at : at + CHUNK]
            hits = np.zeros(len(part), np.int64)
            for position in self._positions(part):
                hits += test_at(self._words, [position], len(part))
            answers[at : at + CHUNK] = hits >= self.decision
        return answers

    def _positions(self, hashes):
        return distinct_positions(hashes, self.bits, self.hashes)

    def _own_info(self):
        above = _rates.ones_of(self._words)
        info = shape_info(_rates.Classic(self.hashes), self.bits)
        fpr = _at_least(self.bits, above, self.hashes, self.decision)
        info.update(
            approximateKeys=float(self.keys), expectedFpp=fpr, keys=self.keys, theta=self.theta, decision=self.decision, fpr=fpr
        )
        info["ones"] = above
        info["fill"] = above / self.bits
        return info


def _at_least(bits, ones, hashes, decision):
    """The probability that at least `decision` of `hashes` distinct positions are among the ones."""
    hits = sum(math.comb(ones, j) * math.comb(bits - ones, hashes - j) for j in range(decision, hashes + 1))
    total = math.comb(bits, hashes)
    return float(hits / total) if hits < total else 1.0


def _read_distinct(container, own):
    layout, bits = read_shape(container, own, 1, classic=True)
    if layout.hashes > bits:
        raise container.error(2, "%d different positions in %d bits" % (layout.hashes, bits))
    return bits, layout.hashes


class AutoscalingBloomFilter(_Graded):
    """Counters compared with thresholds, kind 4. A stored key may be missed."""

    kind = "autoscale"

    @classmethod
    def _read(cls, container, data):
        bits, hashes = _read_distinct(container, 11)
        counters, width = read_counters(container, bits)
        widens = container.parameter(5, "widening", 0, 1)
        keys = container.parameter(6, "keys", 0, min((1 << 62) // hashes, bits * (1 << 32) // hashes))
        mode = container.parameter(7, "threshold mode", 0, 1)
        theta = container.parameter(8, "theta", 0, (1 << (32 if widens else width)) - 2)
        decision = container.parameter(9, "decision", 0, hashes)
        criterion = container.parameter(10, "criterion", 0, 3)
        for index in range(11, 15):
            container.parameter(index, "a number of the threshold rule", 0, 0x7FEFFFFFFFFFFFFF)
        reals = [container.real(index, "a number of the threshold rule") for index in range(11, 15)]
        used = {0: (), 1: (0, 1, 2), 2: (2,), 3: (2,)}[criterion] + (3,) if mode == 0 else ()
        if (mode == 1 and criterion) or any(reals[i] for i in range(4) if i not in used):
            raise container.error(10, "a parameter that the threshold rule does not use is not zero")
        if mode == 0 and (not 0 <= reals[3] <= 1 or (criterion and not 0 < reals[2] < 1) or (criterion == 1 and not (reals[0] > 0 and reals[1] > 0))):
            raise container.error(10, "no threshold rule has these numbers")
        if not (counters == (1 << width) - 1).any() and int(counters.sum()) != keys * hashes:
            raise container.error(6, "%d keys with %d hashes contradict the counters, which add up to %d" % (keys, hashes, int(counters.sum())))
        made = cls(container, data[container.start : container.end])
        made.bits, made.hashes, made.keys, made.theta, made.decision = bits, hashes, keys, theta, decision
        # the largest value of a counter means "this many or more"
        made._words = pack_flags(counters > theta)
        made._width = width
        return made

    def _own_info(self):
        return dict(super()._own_info(), counterBits=self._width)


class BinarizedFilter(_Graded):
    """One bit per counter, set if it exceeds theta, kind 5. A stored key may be missed."""

    kind = "binarized"

    @classmethod
    def _read(cls, container, data):
        bits, hashes = _read_distinct(container, 4)
        made = cls(container, data[container.start : container.end])
        made.bits, made.hashes = bits, hashes
        made.theta = container.parameter(4, "theta", 0, (1 << 32) - 2)
        made.decision = container.parameter(5, "decision", 0, hashes)
        made.keys = container.parameter(6, "keys", 0, (1 << 62) // hashes)
        nan = container.parameters[7] == 0x7FF8000000000000
        if not nan and (made.keys == 0 or not 0 <= container.real(7, "tpr") <= 1):
            raise container.error(7, "the tpr is impossible with %d keys" % made.keys)
        made._words = container.words(0, bits)
        return made


class BinarizedCounting(_Graded):
    """One bit per counter of a counting filter, set if it exceeds theta, kind 16. A stored key may be missed."""

    kind = "binarized-counting"

    @classmethod
    def _read(cls, container, data):
        layout, bits = read_shape(container, 3, 2)
        made = cls(container, data[container.start : container.end])
        made._layout, made.bits, made.hashes = layout, bits, layout.hashes
        made.theta = container.parameter(4, "theta", 0, (1 << 32) - 2)
        made.decision = container.parameter(5, "decision", 0, layout.hashes)
        made.keys = container.parameter(6, "keys", 0, 1 << 60)
        rates = np.frombuffer(container.section(0, 8 * (layout.hashes + 1)), "<u8")
        reals = rates.view("<f8")
        if made.keys == 0:
            possible = (rates == 0x7FF8000000000000).all()
        else:
            possible = ((reals >= 0) & (reals <= 1)).all() and (reals[1:] <= reals[:-1]).all() and not (rates >> np.uint64(63)).any()
        if not possible:
            raise container.error(6, "the rates are impossible with %d keys" % made.keys)
        made._words = container.words(1, bits)
        return made

    def _positions(self, hashes):
        if self._layout.pattern:
            return blocked_positions(hashes, self.bits, *self._layout.pattern)
        return classic_positions(hashes, self.bits, self.hashes)

    def _own_info(self):
        ones = _rates.ones_of(self._words)
        info = shape_info(self._layout, self.bits)
        info.update(ones=ones, fill=ones / self.bits, approximateKeys=float(self.keys), keys=self.keys, theta=self.theta, decision=self.decision)
        return info

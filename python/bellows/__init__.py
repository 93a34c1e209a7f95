"""Elastic Bloom filters: opens and queries every kind of Bellows filter, and builds plain ones.

    import bellows

    seen = bellows.open("words.bloom")            # a filter of any kind
    "bellows" in seen                             # True: it may be in it
    seen.contains_many(["bellows", "lether"])     # array([ True, False])
    seen.info()["expectedFpp"]                    # what `bellows info --json` prints
    seen.fold_to_fpp(0.05).save("small.bloom")    # bit for bit the filter that would be built smaller

    f = bellows.BloomFilter(keys=numpy_array, fpp=0.01)
    f.save("new.bloom")                           # Java reads it

Keys are integers (64 bits), texts, bytes, UUIDs and, on request, floats. A filter that knows the type
of its keys refuses others. Arrays of NumPy, columns of pandas, Arrow and Polars, and lists are queried
together, which is a hundred times faster than one by one; a null in them is not in the filter. Files are not trusted: whatever is not exactly as
the format says raises `FormatError` with the offset.
"""

import os

import numpy as np

from ._container import Container, FormatError
from ._deltas import Delta
from ._filters import (
    AutoscalingBloomFilter,
    BinarizedCounting,
    BinarizedFilter,
    BloomFilter,
    CountingBloomFilter,
    ElasticBloomFilter,
    Filter,
    FoldedFilters,
    ScalableBloomFilter,
)
from ._frozen import FrozenFilter, FrozenPart
from ._partition import PartitionFilter
from ._prefixes import FingerprintFilter
from ._ranges import RangeFilter
from ._windows import PrefixWindow, RingWindow

__version__ = "0.1.0.dev0"

__all__ = [
    "open",
    "from_bytes",
    "BloomFilter",
    "Filter",
    "FormatError",
]

_KINDS = {
    1: BloomFilter,
    2: CountingBloomFilter,
    3: ElasticBloomFilter,
    4: AutoscalingBloomFilter,
    5: BinarizedFilter,
    6: PartitionFilter,
    7: PartitionFilter,
    8: ScalableBloomFilter,
    9: RangeFilter,
    10: FoldedFilters,
    11: FingerprintFilter,
    12: FrozenFilter,
    13: RingWindow,
    14: PrefixWindow,
    15: PartitionFilter,
    16: BinarizedCounting,
    17: FoldedFilters,
    18: Delta,
    20: FrozenPart,
}


def open(path, key=None, max_bytes=1 << 30):
    """Opens the filter of a file.

    key: the 16 bytes of the secret key, if its keys were hashed with one; it is never written.
    max_bytes: a larger filter is refused.
    """
    size = os.path.getsize(path)
    if size > max_bytes + (1 << 20) + max_bytes // 1024:
        raise FormatError(0, "a file of %d bytes exceeds the limit of %d: open it with a higher max_bytes" % (size, max_bytes))
    return from_bytes(np.fromfile(path, np.uint8), key, max_bytes)


def from_bytes(data, key=None, max_bytes=1 << 30):
    """The filter in some bytes."""
    data = np.frombuffer(data, np.uint8)
    data.flags.writeable = False
    container = Container(data, 0, key, max_bytes)
    if container.kind not in _KINDS:
        raise container.place_error("kind", "unknown kind %d" % container.kind)
    found = _KINDS[container.kind]._read(container, data)
    end = getattr(found, "end", container.end)
    if end != len(data):
        raise FormatError(end, "bytes follow its end")
    return found

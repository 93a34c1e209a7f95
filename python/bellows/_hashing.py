"""From keys to 64-bit hashes and from hashes to positions (spec/HASHING.md).

Every function works on Python integers and on arrays of unsigned 64-bit integers alike: the
operators are the same, and only the 128-bit product needs a second form. So one key and a million
keys go through the same lines.
"""

import struct
import uuid

import numpy as np

MASK = (1 << 64) - 1

# ---- keys ------------------------------------------------------------------------------------

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MX1, MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
STATE_FACTOR, STATE_STEP = 0xD1342543DE82EF95, 0x9E3779B97F4A7C15
TAG_TEXT = b"bellows key tag"


def key_bytes(key):
    """The bytes of one key that are hashed."""
    if isinstance(key, (bytes, bytearray, memoryview)):
        return bytes(key)
    if isinstance(key, str):
        return key.encode("utf-8", "replace")
    if isinstance(key, (bool, np.bool_)):
        raise TypeError("a boolean is not a key: use an int, a float, a str, bytes or a UUID")
    if isinstance(key, (int, np.integer)):
        value = int(key)
        if not -(1 << 63) <= value <= MASK:
            raise OverflowError("an integer key has at most 64 bits, but %d has more" % value)
        return struct.pack("<Q", value & MASK)
    if isinstance(key, (float, np.floating)):
        value = float(key)
        if value != value:
            return struct.pack("<Q", 0x7FF8000000000000)
        return struct.pack("<d", value + 0.0)
    if isinstance(key, uuid.UUID):
        return key.bytes
    raise TypeError("%s is not a key: use an int, a float, a str, bytes or a UUID" % type(key).__name__)


class _One:
    """The bytes of one key; numbers in it are integers."""

    def __init__(self, data):
        self.data = data
        self.size = len(data)

    def byte(self, at):
        return self.data[at]

    def u32(self, at):
        return int.from_bytes(self.data[at : at + 4], "little")

    def u64(self, at):
        return int.from_bytes(self.data[at : at + 8], "little")


class _Rows:
    """The bytes of many keys of equal length, one in each row; numbers in it are arrays."""

    def __init__(self, rows):
        self.rows = rows
        self.size = rows.shape[1]

    def byte(self, at):
        return self.rows[:, at].astype(np.uint64)

    def _number(self, at, size):
        return np.ascontiguousarray(self.rows[:, at : at + size]).view("<u%d" % size)[:, 0]

    def u32(self, at):
        return self._number(at, 4).astype(np.uint64)

    def u64(self, at):
        return self._number(at, 8)


class _Words:
    """Integer keys: 8 bytes each, read directly from an array of 64-bit numbers."""

    size = 8

    def __init__(self, words):
        self.words = words

    def u32(self, at):
        return self.words & 0xFFFFFFFF if at == 0 else self.words >> 32

    def u64(self, at):
        return self.words


_SECRET = _One(SECRET)


def product(a, b):
    """The two halves of a 128-bit product, the high one first."""
    if isinstance(a, int):
        whole = a * b
        return whole >> 64, whole & MASK
    a_low, a_high = a & 0xFFFFFFFF, a >> 32
    # a number of NumPy takes part only with numbers of its own type before NumPy 2
    b_low, b_high = b & np.uint64(0xFFFFFFFF), b >> np.uint64(32)
    low = a_low * b_low
    middle = a_high * b_low + (low >> 32)
    other = a_low * b_high + (middle & 0xFFFFFFFF)
    high = a_high * b_high + (middle >> 32) + (other >> 32)
    return high, (other << 32) | (low & 0xFFFFFFFF)


def _fold(a, b):
    high, low = product(a, b)
    return high ^ low


def _swap(x):
    if isinstance(x, int):
        return int.from_bytes(x.to_bytes(8, "little"), "big")
    return x.byteswap()


def _rotate(x, r):
    return (x << r & MASK) | (x >> 64 - r)


def _avalanche(h):
    h = (h ^ (h >> 37)) * MX1 & MASK
    return h ^ (h >> 32)


def _old_avalanche(h):
    h = (h ^ (h >> 33)) * P64_2 & MASK
    h = (h ^ (h >> 29)) * P64_3 & MASK
    return h ^ (h >> 32)


def _mix(data, at, secret_at, seed):
    low = data.u64(at) ^ (_SECRET.u64(secret_at) + seed & MASK)
    high = data.u64(at + 8) ^ (_SECRET.u64(secret_at + 8) - seed & MASK)
    return _fold(low, high)


def _xxh3(data, seed):
    """XXH3-64 of xxHash 0.8 with a seed."""
    n = data.size
    if n == 0:
        return _old_avalanche(seed ^ _SECRET.u64(56) ^ _SECRET.u64(64))
    if n <= 3:
        mixed = data.byte(0) << 16 | data.byte(n >> 1) << 24 | data.byte(n - 1) | n << 8
        return _old_avalanche(mixed ^ ((_SECRET.u32(0) ^ _SECRET.u32(4)) + seed & MASK))
    if n <= 8:
        seed ^= int.from_bytes((seed & 0xFFFFFFFF).to_bytes(4, "little"), "big") << 32
        flip = (_SECRET.u64(8) ^ _SECRET.u64(16)) - seed & MASK
        h = (data.u32(n - 4) | data.u32(0) << 32) ^ flip
        h = (h ^ _rotate(h, 49) ^ _rotate(h, 24)) * MX2 & MASK
        h = (h ^ ((h >> 35) + n)) * MX2 & MASK
        return h ^ (h >> 28)
    if n <= 16:
        low = data.u64(0) ^ ((_SECRET.u64(24) ^ _SECRET.u64(32)) + seed & MASK)
        high = data.u64(n - 8) ^ ((_SECRET.u64(40) ^ _SECRET.u64(48)) - seed & MASK)
        return _avalanche(n + _swap(low) + high + _fold(low, high) & MASK)
    if n <= 128:
        acc = n * P64_1 & MASK
        for i in range((n - 1) // 32, -1, -1):
            acc = acc + _mix(data, 16 * i, 32 * i, seed) & MASK
            acc = acc + _mix(data, n - 16 * (i + 1), 32 * i + 16, seed) & MASK
        return _avalanche(acc)
    if n <= 240:
        acc = n * P64_1 & MASK
        for i in range(8):
            acc = acc + _mix(data, 16 * i, 16 * i, seed) & MASK
        acc = _avalanche(acc)
        for i in range(8, n // 16):
            acc = acc + _mix(data, 16 * i, 16 * (i - 8) + 3, seed) & MASK
        return _avalanche(acc + _mix(data, n - 16, 136 - 17, seed) & MASK)
    return _xxh3_long(data, seed)


def _xxh3_long(data, seed):
    secret = _One(
        b"".join(
            struct.pack("<QQ", _SECRET.u64(i) + seed & MASK, _SECRET.u64(i + 8) - seed & MASK)
            for i in range(0, 192, 16)
        )
    )
    n = data.size
    acc = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]

    def accumulate(at, secret_at):
        values = [data.u64(at + 8 * i) for i in range(8)]
        for i, value in enumerate(values):
            mixed = value ^ secret.u64(secret_at + 8 * i)
            acc[i ^ 1] = acc[i ^ 1] + value & MASK
            acc[i] = acc[i] + (mixed & 0xFFFFFFFF) * (mixed >> 32) & MASK

    blocks = (n - 1) // 1024
    for block in range(blocks):
        for stripe in range(16):
            accumulate(1024 * block + 64 * stripe, 8 * stripe)
        for i in range(8):
            acc[i] = (acc[i] ^ (acc[i] >> 47) ^ secret.u64(128 + 8 * i)) * P32_1 & MASK
    for stripe in range((n - 1 - 1024 * blocks) // 64):
        accumulate(1024 * blocks + 64 * stripe, 8 * stripe)
    accumulate(n - 64, 192 - 64 - 7)
    result = n * P64_1 & MASK
    for i in range(4):
        a, b = acc[2 * i] ^ secret.u64(11 + 16 * i), acc[2 * i + 1] ^ secret.u64(19 + 16 * i)
        result = result + _fold(a, b) & MASK
    return _avalanche(result)


def _sip_hash(data, key):
    """SipHash-2-4 with a key of 16 bytes."""
    k0, k1 = struct.unpack("<QQ", key)
    v0, v1 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    v2, v3 = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573

    def round_(v0, v1, v2, v3):
        v0 = v0 + v1 & MASK
        v1 = _rotate(v1, 13) ^ v0
        v0 = _rotate(v0, 32)
        v2 = v2 + v3 & MASK
        v3 = _rotate(v3, 16) ^ v2
        v0 = v0 + v3 & MASK
        v3 = _rotate(v3, 21) ^ v0
        v2 = v2 + v1 & MASK
        v1 = _rotate(v1, 17) ^ v2
        return v0, v1, _rotate(v2, 32), v3

    whole = data.size // 8 * 8
    last = (data.size & 0xFF) << 56
    for at in range(whole, data.size):
        last = last | data.byte(at) << 8 * (at - whole)
    for word in [data.u64(at) for at in range(0, whole, 8)] + [last]:
        v3 = v3 ^ word
        v0, v1, v2, v3 = round_(*round_(v0, v1, v2, v3))
        v0 = v0 ^ word
    v2 = v2 ^ 0xFF
    for _ in range(4):
        v0, v1, v2, v3 = round_(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


class Scheme:
    """How keys become hashes: XXH3 with a seed, or SipHash with a secret key."""

    def __init__(self, id_, identity, secret=None):
        self.id = id_
        self.identity = identity
        self._secret = secret

    @staticmethod
    def seeded(seed=0):
        return Scheme(1, int(seed) & MASK)

    @staticmethod
    def secret(key):
        key = bytes(key)
        if len(key) != 16:
            raise ValueError("a secret key has 16 bytes, not %d" % len(key))
        masked = bytes(byte ^ 0x5C for byte in key)
        return Scheme(2, _sip_hash(_One(TAG_TEXT), masked), key)

    @property
    def needs_key(self):
        return self.id == 2 and self._secret is None

    @property
    def word(self):
        return "xxh3-64" if self.id == 1 else "siphash-2-4"

    def __eq__(self, other):
        return (self.id, self.identity) == (other.id, other.identity)

    __hash__ = None

    def _of(self, data):
        if self.id == 1:
            return _xxh3(data, self.identity)
        if self._secret is None:
            raise ValueError("the keys of this filter were hashed with a secret key: open it with key=")
        return _sip_hash(data, self._secret)

    def hash(self, key):
        """The hash of one key."""
        return self._of(_One(key_bytes(key)))

    def hashes(self, keys):
        """The hashes of many keys, as an array of unsigned 64-bit numbers."""
        array = as_array(keys)
        kind = array.dtype.kind
        if kind in "iu":
            return self._integers(array.astype(np.int64 if kind == "i" else np.uint64).view(np.uint64))
        if kind == "f":
            words = (array.astype(np.float64) + 0.0).view(np.uint64)
            return self._integers(np.where(np.isnan(array), np.uint64(0x7FF8000000000000), words))
        return self._texts([key_bytes(key) for key in array.tolist()])

    def _integers(self, words):
        hashes = np.empty(len(words), np.uint64)
        for at in range(0, len(words), CHUNK):
            part = words[at : at + CHUNK]
            data = _Words(part) if self.id == 1 else _Rows(part.view(np.uint8).reshape(-1, 8))
            hashes[at : at + CHUNK] = self._of(data)
        return hashes

    def _texts(self, texts):
        """Keys of equal length are hashed together, if there are enough of them to pay off."""
        hashes = np.empty(len(texts), np.uint64)
        by_length = {}
        for index, text in enumerate(texts):
            by_length.setdefault(len(text), []).append(index)
        for length, indices in by_length.items():
            if length == 0:
                hashes[indices] = self._of(_One(b""))
            elif len(indices) < 16:
                for index in indices:
                    hashes[index] = self._of(_One(texts[index]))
            else:
                joined = b"".join([texts[index] for index in indices])
                rows = np.frombuffer(joined, np.uint8).reshape(-1, length)
                for at in range(0, len(indices), CHUNK):
                    hashes[indices[at : at + CHUNK]] = self._of(_Rows(rows[at : at + CHUNK]))
        return hashes


# Arrays are processed in pieces that stay in the processor's cache.
CHUNK = 1 << 14


def as_array(keys):
    """Keys as an array of one dimension; anything but numbers becomes an array of objects."""
    if hasattr(keys, "to_numpy"):
        keys = keys.to_numpy()
    if isinstance(keys, np.ndarray):
        array = keys
    elif isinstance(keys, (str, bytes, bytearray)):
        raise TypeError("pass a list or an array of keys, not a single %s" % type(keys).__name__)
    else:
        keys = list(keys)
        kinds = {type(key) for key in keys}
        if kinds <= {int}:
            try:
                array = np.array(keys, np.int64)
            except OverflowError:
                array = np.empty(len(keys), object)
                array[:] = keys
        elif kinds <= {float}:
            array = np.array(keys, np.float64)
        else:
            array = np.empty(len(keys), object)
            for index, key in enumerate(keys):
                array[index] = key
    if array.ndim != 1:
        raise ValueError("keys must be an array of one dimension, not of %d" % array.ndim)
    if array.dtype.kind not in "iufOUS":
        raise TypeError("an array of %s does not hold keys: use integers, floats, texts or bytes" % array.dtype)
    return array


# ---- positions -------------------------------------------------------------------------------


def cell(x, cells):
    """(x >>> 2) mod cells; as a division, because arrays are divided faster than reduced."""
    x = x >> 2
    return x - x // cells * cells


def next_state(x):
    y = x * STATE_FACTOR + STATE_STEP & MASK
    return y ^ (y >> 32)


def classic_positions(h, bits, hashes):
    """The positions of a hash, or of an array of hashes, one after the other."""
    x = h
    for _ in range(hashes):
        x = next_state(x)
        yield cell(x, bits)


def _blocked_fields(h, bits, words, bits_of_word):
    """For each group of words the index of a word and the positions in it, which may coincide."""
    first = cell(h, bits // 512) << 3
    mixed = (h ^ (h >> 32)) * 0x9FB21C651E98DF25 & MASK
    word_bits = (8 // words).bit_length() - 1
    left = 64
    for group in range(words):
        if left < word_bits + 6 * bits_of_word:
            mixed = (mixed ^ (mixed >> 29)) * 0xD6E8FEB86659FD93 & MASK
            left = 64
        word = first + group * (8 // words)
        if word_bits:
            left -= word_bits
            word = word + (mixed >> left & (1 << word_bits) - 1)
        places = []
        for _ in range(bits_of_word):
            left -= 6
            places.append(mixed >> left & 63)
        yield word, places


def blocked_masks(h, bits, words, bits_of_word):
    """For each group of words the index of a word and the mask of the bits in it."""
    one = 1 if isinstance(h, int) else np.uint64(1)
    for word, places in _blocked_fields(h, bits, words, bits_of_word):
        mask = 0
        for place in places:
            mask = mask | one << place
        yield word, mask


def blocked_positions(h, bits, words, bits_of_word):
    """The positions of a hash, or of an array of hashes, one after the other."""
    for word, places in _blocked_fields(h, bits, words, bits_of_word):
        for place in places:
            yield (word << 6) + place


def distinct_positions(h, bits, hashes):
    """As many different positions as hashes, in no particular order."""
    chosen = []
    x = h
    for i in range(1, hashes + 1):
        x = next_state(x)
        choices = bits - hashes + i
        high, low = product(x >> 2, choices if isinstance(x, int) else np.uint64(choices))
        position = high << 2 | low >> 62
        if isinstance(x, int):
            chosen.append(choices - 1 if position in chosen else position)
        else:
            taken = np.zeros(len(position), bool)
            for other in chosen:
                taken |= other == position
            chosen.append(np.where(taken, np.uint64(choices - 1), position))
    return chosen

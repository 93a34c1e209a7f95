"""From a key to positions: HASHING.md, sections 1 to 6."""

import struct

MASK = (1 << 64) - 1


# ---- section 2: hash schemes ---------------------------------------------------------------------

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


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def u64(data, at):
    return struct.unpack_from("<Q", data, at)[0]


def rotl(x, r):
    return ((x << r) | (x >> (64 - r))) & MASK


def swap(x, size):
    return int.from_bytes(x.to_bytes(size, "little"), "big")


def fold(a, b):
    product = a * b
    return (product & MASK) ^ (product >> 64)


def avalanche(h):
    h ^= h >> 37
    h = h * MX1 & MASK
    return h ^ (h >> 32)


def old_avalanche(h):
    h ^= h >> 33
    h = h * P64_2 & MASK
    h ^= h >> 29
    h = h * P64_3 & MASK
    return h ^ (h >> 32)


def mix16(data, at, secret_at, seed):
    low = u64(data, at) ^ ((u64(SECRET, secret_at) + seed) & MASK)
    high = u64(data, at + 8) ^ ((u64(SECRET, secret_at + 8) - seed) & MASK)
    return fold(low, high)


def xxh3_64(data, seed):
    """XXH3-64 of xxHash 0.8 with a seed."""
    n = len(data)
    if n == 0:
        return old_avalanche(seed ^ u64(SECRET, 56) ^ u64(SECRET, 64))
    if n <= 3:
        mixed = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return old_avalanche(mixed ^ ((u32(SECRET, 0) ^ u32(SECRET, 4)) + seed & MASK))
    if n <= 8:
        seed ^= swap(seed & 0xFFFFFFFF, 4) << 32
        flip = ((u64(SECRET, 8) ^ u64(SECRET, 16)) - seed) & MASK
        h = (u32(data, n - 4) + (u32(data, 0) << 32)) ^ flip
        h ^= rotl(h, 49) ^ rotl(h, 24)
        h = h * MX2 & MASK
        h ^= (h >> 35) + n
        h = h * MX2 & MASK
        return h ^ (h >> 28)
    if n <= 16:
        low = u64(data, 0) ^ ((u64(SECRET, 24) ^ u64(SECRET, 32)) + seed & MASK)
        high = u64(data, n - 8) ^ ((u64(SECRET, 40) ^ u64(SECRET, 48)) - seed & MASK)
        return avalanche((n + swap(low, 8) + high + fold(low, high)) & MASK)
    if n <= 128:
        acc = n * P64_1
        for i in range((n - 1) // 32, -1, -1):
            acc += mix16(data, 16 * i, 32 * i, seed)
            acc += mix16(data, n - 16 * (i + 1), 32 * i + 16, seed)
        return avalanche(acc & MASK)
    if n <= 240:
        acc = n * P64_1
        for i in range(8):
            acc += mix16(data, 16 * i, 16 * i, seed)
        acc = avalanche(acc & MASK)
        for i in range(8, n // 16):
            acc += mix16(data, 16 * i, 16 * (i - 8) + 3, seed)
        acc += mix16(data, n - 16, 136 - 17, seed)
        return avalanche(acc & MASK)
    return xxh3_long(data, seed)


def xxh3_long(data, seed):
    secret = b"".join(
        struct.pack(
            "<QQ", (u64(SECRET, i) + seed) & MASK, (u64(SECRET, i + 8) - seed) & MASK
        )
        for i in range(0, 192, 16)
    )
    acc = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]

    def accumulate(at, secret_at):
        for i in range(8):
            value = u64(data, at + 8 * i)
            key = value ^ u64(secret, secret_at + 8 * i)
            acc[i ^ 1] = (acc[i ^ 1] + value) & MASK
            acc[i] = (acc[i] + (key & 0xFFFFFFFF) * (key >> 32)) & MASK

    n = len(data)
    blocks = (n - 1) // 1024
    for block in range(blocks):
        for stripe in range(16):
            accumulate(1024 * block + 64 * stripe, 8 * stripe)
        for i in range(8):
            x = acc[i] ^ (acc[i] >> 47) ^ u64(secret, 128 + 8 * i)
            acc[i] = x * P32_1 & MASK
    for stripe in range((n - 1 - 1024 * blocks) // 64):
        accumulate(1024 * blocks + 64 * stripe, 8 * stripe)
    accumulate(n - 64, 192 - 64 - 7)
    result = n * P64_1
    for i in range(4):
        result += fold(acc[2 * i] ^ u64(secret, 11 + 16 * i), acc[2 * i + 1] ^ u64(secret, 19 + 16 * i))
    return avalanche(result & MASK)


def sip_hash_2_4(data, key):
    k0, k1 = struct.unpack("<QQ", key)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & MASK
            v[1] = rotl(v[1], 13) ^ v[0]
            v[0] = rotl(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK
            v[3] = rotl(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK
            v[3] = rotl(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK
            v[1] = rotl(v[1], 17) ^ v[2]
            v[2] = rotl(v[2], 32)

    whole = len(data) // 8 * 8
    last = int.from_bytes(data[whole:], "little") | (len(data) & 0xFF) << 56
    for word in [u64(data, i) for i in range(0, whole, 8)] + [last]:
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


# ---- section 1: bytes of a key -------------------------------------------------------------------


def key_bytes(key):
    if isinstance(key, bool):
        raise TypeError("a boolean is a field, not a key")
    if isinstance(key, int):
        return struct.pack("<Q", key & MASK)
    if isinstance(key, float):
        value = 0.0 if key == 0 else key
        return struct.pack("<Q", 0x7FF8000000000000) if value != value else struct.pack("<d", value)
    if isinstance(key, str):
        return key.encode("utf-8", "replace")
    return bytes(key)


# ---- sections 3 to 6: positions ------------------------------------------------------------------


def cell(x, cells):
    return (x >> 2) % cells


def classic_states(h):
    x = h
    while True:
        y = (x * 0xD1342543DE82EF95 + 0x9E3779B97F4A7C15) & MASK
        x = y ^ (y >> 32)
        yield x


def classic_positions(h, bits, hashes):
    states = classic_states(h)
    return [cell(next(states), bits) for _ in range(hashes)]


def blocked_positions(h, bits, words, bits_of_word):
    block = cell(h, bits // 512)
    product = (h ^ (h >> 32)) * 0x9FB21C651E98DF25 & MASK
    word_bits = (8 // words).bit_length() - 1
    size = word_bits + 6 * bits_of_word
    left = 64
    positions = []

    def take(count):
        nonlocal left
        left -= count
        return (product >> left) & ((1 << count) - 1)

    for group in range(words):
        if left < size:
            product = (product ^ (product >> 29)) * 0xD6E8FEB86659FD93 & MASK
            left = 64
        word = 8 * block + group * (8 // words) + take(word_bits)
        positions += [64 * word + take(6) for _ in range(bits_of_word)]
    return positions


def distinct_positions(h, bits, hashes):
    chosen = set()
    states = classic_states(h)
    for i in range(1, hashes + 1):
        choices = bits - hashes + i
        position = (next(states) >> 2) * choices >> 62
        chosen.add(choices - 1 if position in chosen else position)
    return chosen

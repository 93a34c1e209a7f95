package dev.bellows;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.bellows.internal.hash.SipHash24;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An immutable, thread-safe function from keys to 64-bit hashes. Filters depend on this hash of a
 * key only. spec/HASHING.md specifies which bytes are hashed for each type, so that programs in
 * other languages can query the same filter.
 *
 * <p>A scheme with a known {@link #keyType} hashes keys of that type only and throws an {@link
 * IllegalArgumentException} for others, because a filter would deny each of them: the text "5" and
 * the long 5 have different hashes. A {@link KeyHasher} counts as the type that it hashes. To hash
 * keys regardless of their type, use {@code withKeyType(KeyType.UNKNOWN)} and the methods of
 * filters that accept hashes.
 */
public abstract sealed class HashScheme {
  /** The default: XXH3-64 with seed 0. */
  public static final HashScheme DEFAULT = xxh3(0);

  private static final int XXH3_ID = 1;
  private static final int SIP_ID = 2;

  private final int id;
  private final long identity;
  private final KeyType keyType;
  private final boolean takesLongs;
  private final boolean takesBytes;

  private HashScheme(int id, long identity, KeyType keyType) {
    this.id = id;
    this.identity = identity;
    this.keyType = keyType;
    this.takesLongs = keyType.accepts(KeyType.LONGS);
    this.takesBytes = keyType.accepts(KeyType.BYTES);
  }

  /** Returns the type of the keys, if it is known; it does not affect equality or hashes. */
  public final KeyType keyType() {
    return keyType;
  }

  /** Returns the same function with a key type, which files record. */
  public final HashScheme withKeyType(KeyType type) {
    Objects.requireNonNull(type, "keyType");
    return type == keyType ? this : of(type);
  }

  /**
   * Returns why filters with these schemes cannot be merged: the schemes are not equal, or both key
   * types are known and differ. TEXT and BYTES are compatible. Empty if the filters can be merged.
   */
  public final Optional<String> incompatibility(HashScheme other) {
    return !equals(other)
        ? Optional.of(this + " here and " + other + " there")
        : keyType.with(other.keyType) != null
            ? Optional.empty()
            : Optional.of(
                "keys are %s here and %s there, so a query could find only one of the two"
                    .formatted(keyType.word(), other.keyType.word()));
  }

  /**
   * Returns the scheme for the union of a filter with this scheme and one with a compatible scheme.
   * It lacks the secret key only if both schemes do. Its key type is that of both, BYTES for TEXT
   * and BYTES, or UNKNOWN if one of them is.
   *
   * @throws IllegalArgumentException if the schemes are {@linkplain #incompatibility incompatible}
   */
  public final HashScheme mergedWith(HashScheme other) {
    KeyType both = keyType.with(other.keyType);
    if (both == null || !equals(other)) {
      throw new IllegalArgumentException(
          "filters cannot be merged: " + incompatibility(other).orElseThrow());
    }
    HashScheme able = this instanceof WithoutKey ? other : this;
    return able.withKeyType(both);
  }

  abstract HashScheme of(KeyType type);

  /**
   * Returns XXH3-64 with a seed, which is stored in files. It is faster than SipHash. Different
   * seeds cause different false positives, but they do not protect against keys that an attacker
   * chose to collide.
   */
  public static HashScheme xxh3(long seed) {
    return new Xxh3(seed, KeyType.UNKNOWN);
  }

  /**
   * Returns SipHash-2-4 with a secret key of 16 bytes, which is never written to a file. Use it if
   * an attacker may choose keys. Files contain a tag that identifies the key without revealing it.
   * A key of 16 zero bytes, i.e. an array that was never filled, is rejected.
   */
  public static HashScheme sipHash(byte[] key) {
    return new Sip(Objects.requireNonNull(key, "key").clone(), KeyType.UNKNOWN);
  }

  /**
   * Returns the scheme with the {@link #id} and {@link #identity} stored in a file. A keyed scheme
   * lacks its key: the filter can be inspected and merged, but must be read with the key before it
   * can be queried.
   */
  public static HashScheme named(int id, long identity) {
    return switch (id) {
      case XXH3_ID -> xxh3(identity);
      case SIP_ID -> new WithoutKey(identity, KeyType.UNKNOWN);
      default -> throw new IllegalArgumentException("unknown hash scheme " + id);
    };
  }

  /** Returns the id of this scheme in files. */
  public final int id() {
    return id;
  }

  /**
   * Returns the parameter of this scheme that files store: the seed, or the tag of the secret key.
   */
  public final long identity() {
    return identity;
  }

  /**
   * Returns whether this scheme uses a secret key, so that {@link #identity} is the tag of that key
   * and not a seed.
   */
  public final boolean isKeyed() {
    return id == SIP_ID;
  }

  /** Returns the name of this scheme: {@code xxh3-64} or {@code siphash-2-4}. */
  public final String word() {
    return isKeyed() ? "siphash-2-4" : "xxh3-64";
  }

  /** Hashes a long as its 8 bytes, little endian. */
  public final long hash(long key) {
    if (!takesLongs) {
      throw refused("longs");
    }
    return ofLong(key);
  }

  /**
   * Hashes keys starting at index {@code from}, up to the last key or until {@code into} is full,
   * and returns the number of hashes.
   */
  final int hash(long[] keys, int from, long[] into) {
    if (!takesLongs) {
      throw refused("longs");
    }
    return ofLongs(keys, from, into);
  }

  /** Hashes a range of bytes. */
  public final long hash(byte[] bytes, int from, int length) {
    if (!takesBytes) {
      throw refused("bytes");
    }
    return ofBytes(bytes, from, length);
  }

  /** Hashes all bytes. */
  public final long hash(byte[] key) {
    Objects.requireNonNull(key, "key");
    return hash(key, 0, key.length);
  }

  /** Hashes a character as text of length one, so that it is never mistaken for a number. */
  public final long hash(char key) {
    return hash(String.valueOf(key));
  }

  /** Hashes text as its UTF-8 bytes; an unpaired surrogate counts as {@code ?}. */
  public final long hash(CharSequence key) {
    if (!takesBytes) {
      throw refused("text");
    }
    Objects.requireNonNull(key, "key");
    // String.getBytes is one vectorized copy, much faster than any loop over chars
    byte[] utf8 = key.toString().getBytes(StandardCharsets.UTF_8);
    return ofBytes(utf8, 0, utf8.length);
  }

  /** Hashes the bytes between position and limit, without changing either. */
  public final long hash(ByteBuffer buffer) {
    if (buffer.hasArray()) {
      return hash(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return hash(bytes, 0, bytes.length);
  }

  /** Hashes a UUID as its 16 bytes, big endian, i.e. in the order of its text form. */
  public final long hash(UUID uuid) {
    if (keyType != KeyType.UNKNOWN) {
      throw refused("UUIDs");
    }
    return ofLongs(
        Long.reverseBytes(uuid.getMostSignificantBits()),
        Long.reverseBytes(uuid.getLeastSignificantBits()));
  }

  /** Hashes a double as its IEEE 754 bits; -0.0 counts as 0.0, every NaN as the same NaN. */
  public final long hash(double key) {
    if (keyType != KeyType.UNKNOWN) {
      throw refused("doubles");
    }
    return ofLong(canonicalBits(key));
  }

  /** Hashes a key of any type with its hasher. */
  public final <T> long hash(T key, KeyHasher<? super T> hasher) {
    Objects.requireNonNull(key, "key");
    return Objects.requireNonNull(hasher, "hasher").hash(key, this);
  }

  /** Hashes 8 bytes, little endian, for a key of any type. */
  abstract long ofLong(long key);

  /** Does the same for an array, like {@link #hash(long[], int, long[])}. */
  int ofLongs(long[] keys, int from, long[] into) {
    int length = Math.min(into.length, keys.length - from);
    for (int i = 0; i < length; i++) {
      into[i] = ofLong(keys[from + i]);
    }
    return length;
  }

  /** Hashes 16 bytes: two longs, little endian. */
  long ofLongs(long first, long second) {
    byte[] bytes = new byte[16];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(first).putLong(second);
    return ofBytes(bytes, 0, 16);
  }

  /** Hashes a range of bytes of a key of any type. */
  abstract long ofBytes(byte[] bytes, int from, int length);

  private IllegalArgumentException refused(String given) {
    return new IllegalArgumentException(
        ("the keys of this filter are %s, not %s: pass %s; a filter for keys of several types has key"
                + " type UNKNOWN")
            .formatted(keyType.word(), given, keyType.wayOut));
  }

  static long canonicalBits(double value) {
    return Double.doubleToLongBits(value == 0 ? 0.0 : value);
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof HashScheme scheme && scheme.id == id && scheme.identity == identity;
  }

  @Override
  public final int hashCode() {
    return Objects.hash(id, identity);
  }

  private static final class Xxh3 extends HashScheme {
    /**
     * XXH3's constants for inputs of 8 bytes: words 1 and 2 of its secret, combined, and its
     * multiplier.
     */
    private static final long SECRET = 0x1cad21f72c81017cL ^ 0xdb979083e96dd4deL;

    private static final long PRIME = 0x9fb21c651e98df25L;

    private final long flip;
    private final Hasher64 hasher;

    Xxh3(long seed, KeyType keyType) {
      super(XXH3_ID, seed, keyType);
      this.flip =
          SECRET - (seed ^ (Integer.toUnsignedLong(Integer.reverseBytes((int) seed)) << 32));
      this.hasher = Hashing.xxh3_64(seed);
    }

    @Override
    HashScheme of(KeyType type) {
      return new Xxh3(identity(), type);
    }

    /** Hashes 8 bytes with XXH3, inlined: the result equals that of hash4j, with one call fewer. */
    @Override
    long ofLong(long key) {
      long word = Long.rotateLeft(key, 32) ^ flip;
      word = (word ^ Long.rotateLeft(word, 49) ^ Long.rotateLeft(word, 24)) * PRIME;
      word = (word ^ ((word >>> 35) + 8)) * PRIME;
      return word ^ (word >>> 28);
    }

    @Override
    int ofLongs(long[] keys, int from, long[] into) {
      int length = Math.min(into.length, keys.length - from);
      for (int i = 0; i < length; i++) {
        into[i] = ofLong(keys[from + i]);
      }
      return length;
    }

    @Override
    long ofLongs(long first, long second) {
      return hasher.hashLongLongToLong(first, second);
    }

    @Override
    long ofBytes(byte[] bytes, int from, int length) {
      Objects.checkFromIndexSize(from, length, bytes.length);
      return hasher.hashBytesToLong(bytes, from, length);
    }

    @Override
    public String toString() {
      return word() + "(seed " + identity() + ")";
    }
  }

  private static final class Sip extends HashScheme {
    static final int KEY_BYTES = 16;
    private static final byte[] TAG_TEXT = "bellows key tag".getBytes(StandardCharsets.US_ASCII);

    /**
     * XORed with the key to derive the tag. Under the key itself, the tag would be the hash of a
     * known text, and anyone who has the file could query that text.
     */
    private static final long TAG_DOMAIN = 0x5c5c5c5c5c5c5c5cL;

    private final byte[] key;
    private final SipHash24 sip;

    Sip(byte[] key, KeyType keyType) {
      super(SIP_ID, sip(checked(key), TAG_DOMAIN).hash(TAG_TEXT, 0, TAG_TEXT.length), keyType);
      this.key = key;
      this.sip = sip(key, 0);
    }

    private static byte[] checked(byte[] key) {
      if (key.length != KEY_BYTES) {
        throw new IllegalArgumentException(
            "a SipHash key has 16 bytes, not " + key.length + ": use 16 random bytes");
      }
      if (Arrays.equals(key, new byte[KEY_BYTES])) {
        throw new IllegalArgumentException(
            "a SipHash key of 16 zero bytes is not secret: use 16 random bytes");
      }
      return key;
    }

    private static SipHash24 sip(byte[] key, long domain) {
      ByteBuffer halves = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
      return new SipHash24(halves.getLong() ^ domain, halves.getLong() ^ domain);
    }

    @Override
    HashScheme of(KeyType type) {
      return new Sip(key, type);
    }

    @Override
    long ofLong(long key) {
      return sip.hash(key);
    }

    @Override
    long ofBytes(byte[] bytes, int from, int length) {
      Objects.checkFromIndexSize(from, length, bytes.length);
      return sip.hash(bytes, from, length);
    }

    @Override
    public String toString() {
      return word() + "(key tag " + Long.toHexString(identity()) + ")";
    }
  }

  /** A keyed scheme without its key: the filter can be inspected and merged, but not queried. */
  private static final class WithoutKey extends HashScheme {
    WithoutKey(long tag, KeyType keyType) {
      super(SIP_ID, tag, keyType);
    }

    @Override
    HashScheme of(KeyType type) {
      return new WithoutKey(identity(), type);
    }

    @Override
    long ofLong(long key) {
      throw keyMissing();
    }

    @Override
    long ofBytes(byte[] bytes, int from, int length) {
      throw keyMissing();
    }

    private IllegalStateException keyMissing() {
      return new IllegalStateException(
          "this filter was built with a secret key that its file does not carry (tag "
              + Long.toHexString(identity())
              + "): read it with HashScheme.sipHash(key)");
    }

    @Override
    public String toString() {
      return word() + "(without its key, key tag " + Long.toHexString(identity()) + ")";
    }
  }

  /**
   * The type of a filter's keys before they were hashed. Files record it. A filter with a known
   * type accepts keys of that type only, in queries and puts alike; its methods for hashes accept
   * any hash. Filters with different known types are not merged, except TEXT with BYTES.
   */
  public enum KeyType {
    /** Not specified: keys of any type, also of several types in one filter, are accepted. */
    UNKNOWN(0, "any key"),
    /** Texts, hashed as UTF-8. Bytes are accepted too, because they have the same hashes. */
    TEXT(1, "text, e.g. String.valueOf(key)"),
    /** Integers, hashed as 8 bytes. */
    LONGS(2, "a long, e.g. Long.parseLong(text)"),
    /** Ids of an id space, for partition filters; other filters treat them like LONGS. */
    IDS(3, "an id, which is a long"),
    /** Raw bytes. Texts are accepted too, as UTF-8. */
    BYTES(4, "bytes or text");

    private final int id;
    private final String wayOut;

    KeyType(int id, String wayOut) {
      this.id = id;
      this.wayOut = wayOut;
    }

    /** Returns the id of this type in files. */
    public int id() {
      return id;
    }

    /** Returns the type with this id in files, or UNKNOWN if there is none. */
    public static KeyType ofId(int id) {
      return Arrays.stream(values()).filter(type -> type.id == id).findFirst().orElse(UNKNOWN);
    }

    /** Returns the name of this type in text and JSON: {@code text}, {@code longs}, ... */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether a filter with keys of this type accepts the keys of another type. */
    boolean accepts(KeyType keys) {
      return switch (this) {
        case UNKNOWN -> true;
        case TEXT, BYTES -> keys == TEXT || keys == BYTES;
        case LONGS, IDS -> keys == LONGS || keys == IDS;
      };
    }

    /** Returns the type of a set with keys of both types; null if a filter cannot have both. */
    @Nullable KeyType with(KeyType other) {
      if (this == other) {
        return this;
      } else if (this == UNKNOWN || other == UNKNOWN) {
        return UNKNOWN;
      }
      return takesText() && other.takesText() ? BYTES : null;
    }

    private boolean takesText() {
      return this == TEXT || this == BYTES;
    }
  }
}

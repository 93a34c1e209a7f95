package dev.bellows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A function that hashes keys of one type with a {@link HashScheme}. It must be deterministic:
 * equal keys must have equal hashes in every process.
 *
 * @param <T> the type of the keys
 */
@FunctionalInterface
public interface KeyHasher<T> {
  /** Longs, as 8 bytes little endian. */
  KeyHasher<Long> LONGS = (key, scheme) -> scheme.hash(key.longValue());

  /** Integers, as longs: the int 5 and the long 5 are the same key. */
  KeyHasher<Integer> INTS = (key, scheme) -> scheme.hash(key.longValue());

  /** Shorts, as longs. */
  KeyHasher<Short> SHORTS = (key, scheme) -> scheme.hash(key.longValue());

  /** Enum constants, by their names as text, because their order may change. */
  KeyHasher<Enum<?>> ENUMS = (key, scheme) -> scheme.hash(key.name());

  /** Text, as UTF-8. */
  KeyHasher<CharSequence> TEXT = (key, scheme) -> scheme.hash(key);

  /** Byte arrays, as they are. */
  KeyHasher<byte[]> BYTES = (key, scheme) -> scheme.hash(key);

  /** Byte buffers, from position to limit. */
  KeyHasher<ByteBuffer> BUFFERS = (key, scheme) -> scheme.hash(key);

  /** UUIDs, as 16 bytes big endian. */
  KeyHasher<UUID> UUIDS = (key, scheme) -> scheme.hash(key);

  /** Doubles, as their IEEE 754 bits; -0.0 counts as 0.0, every NaN as the same NaN. */
  KeyHasher<Double> DOUBLES = (key, scheme) -> scheme.hash(key.doubleValue());

  /** Returns the hash of the key under the scheme. */
  long hash(T key, HashScheme scheme);

  /**
   * Returns a hasher for keys that are identified by one of their fields: the hash of a key is the
   * hash of that field.
   *
   * <pre>{@code
   * KeyHasher<User> users = KeyHasher.by(User::id, KeyHasher.LONGS);
   * }</pre>
   */
  static <T, F> KeyHasher<T> by(
      Function<? super T, ? extends F> field, KeyHasher<? super F> hasher) {
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(hasher, "hasher");
    return (key, scheme) -> hasher.hash(field.apply(key), scheme);
  }

  /**
   * Returns a hasher for keys with several fields: the function puts each field into the sink.
   *
   * <pre>{@code
   * KeyHasher<Point> points = KeyHasher.of((p, sink) -> sink.putLong(p.x()).putLong(p.y()));
   * }</pre>
   */
  static <T> KeyHasher<T> of(BiConsumer<? super T, ? super Sink> fields) {
    return (key, scheme) -> {
      Sink sink = new Sink();
      fields.accept(key, sink);
      return sink.hash(scheme);
    };
  }

  /**
   * A sink for the fields of a key, whose bytes are hashed in the order in which they are put.
   * Fields of variable length are followed by their length, so that ("ab", "c") and ("a", "bc")
   * differ.
   */
  final class Sink {
    private ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

    Sink() {}

    /** Puts 8 bytes, little endian. */
    public Sink putLong(long value) {
      room(Long.BYTES).putLong(value);
      return this;
    }

    /**
     * Puts the int as a long, so that the bytes of a field stay the same if its type is widened.
     */
    public Sink putInt(int value) {
      return putLong(value);
    }

    /** Puts the IEEE 754 bits as a long; -0.0 counts as 0.0, every NaN as the same NaN. */
    public Sink putDouble(double value) {
      return putLong(HashScheme.canonicalBits(value));
    }

    /** Puts one byte, 0 or 1. */
    public Sink putBoolean(boolean value) {
      room(1).put((byte) (value ? 1 : 0));
      return this;
    }

    /** Puts 16 bytes, big endian. */
    public Sink putUuid(UUID value) {
      return putLong(Long.reverseBytes(value.getMostSignificantBits()))
          .putLong(Long.reverseBytes(value.getLeastSignificantBits()));
    }

    /** Puts the bytes, then their number as 4 bytes little endian. */
    public Sink putBytes(byte[] value) {
      room(value.length + Integer.BYTES).put(value).putInt(value.length);
      return this;
    }

    /** Puts the UTF-8 bytes, then their number as 4 bytes little endian. */
    public Sink putText(CharSequence value) {
      return putBytes(value.toString().getBytes(StandardCharsets.UTF_8));
    }

    long hash(HashScheme scheme) {
      return scheme.hash(bytes.array(), 0, bytes.position());
    }

    private ByteBuffer room(int needed) {
      if (bytes.remaining() < needed) {
        int capacity = Math.max(2 * bytes.capacity(), bytes.position() + needed);
        bytes =
            ByteBuffer.wrap(Arrays.copyOf(bytes.array(), capacity))
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(bytes.position());
      }
      return bytes;
    }
  }
}

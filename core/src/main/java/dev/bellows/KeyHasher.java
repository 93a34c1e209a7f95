package dev.bellows;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * Turns keys of one type into hashes of a {@link HashScheme}. It must be deterministic: equal keys
 * have equal hashes in every process.
 *
 * @param <T> the type of the keys
 */
@FunctionalInterface
public interface KeyHasher<T> {
  /** Longs, as 8 bytes little endian. */
  KeyHasher<Long> LONGS = (key, scheme) -> scheme.hash(key.longValue());

  /** Text, as UTF-8. */
  KeyHasher<CharSequence> TEXT = (key, scheme) -> scheme.hash(key);

  /** Byte arrays, as they are. */
  KeyHasher<byte[]> BYTES = (key, scheme) -> scheme.hash(key);

  /** Byte buffers, from position to limit. */
  KeyHasher<ByteBuffer> BUFFERS = (key, scheme) -> scheme.hash(key);

  /** UUIDs, as 16 bytes big endian. */
  KeyHasher<UUID> UUIDS = (key, scheme) -> scheme.hash(key);

  /** Doubles; -0.0 is 0.0 and every NaN is the same. */
  KeyHasher<Double> DOUBLES = (key, scheme) -> scheme.hash(key.doubleValue());

  /** The hash of the key under the scheme. */
  long hash(T key, HashScheme scheme);

  /**
   * A hasher for keys of several fields: the function puts each field into the sink.
   *
   * <pre>{@code
   * KeyHasher<Point> points = KeyHasher.of((p, sink) -> sink.putLong(p.x()).putLong(p.y()));
   * }</pre>
   */
  static <T> KeyHasher<T> of(BiConsumer<? super T, ? super KeySink> fields) {
    return (key, scheme) -> {
      KeySink sink = new KeySink();
      fields.accept(key, sink);
      return sink.hash(scheme);
    };
  }
}

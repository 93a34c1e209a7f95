package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one task, for one thread: a set of hashes while that is the smaller form, then the
 * bits of a filter at full capacity. Which form it has, and the order in which buffers merge, leave
 * no trace in the result.
 */
final class KeyBuffer {
  private static final byte HASHES = 0;
  private static final byte BITS = 1;
  private static final int FORM = 1;

  private final FilterSize size;
  private final int mostHashes;
  private @Nullable DistinctHashes hashes; // of hashes, packed and bits exactly one is there
  private byte @Nullable [] packed;
  private @Nullable BloomFilter bits;

  private KeyBuffer(FilterSize size) {
    this.size = size;
    this.mostHashes = size.mostHashes();
  }

  static KeyBuffer empty(FilterSize size) {
    KeyBuffer buffer = new KeyBuffer(size);
    buffer.hashes = new DistinctHashes();
    return buffer;
  }

  static KeyBuffer deserialize(FilterSize size, byte[] bytes) {
    KeyBuffer buffer = new KeyBuffer(size);
    if (bytes[0] == HASHES) {
      buffer.packed = bytes;
    } else {
      try (InputStream in = new ByteArrayInputStream(bytes, FORM, bytes.length - FORM)) {
        buffer.bits = BloomFilter.readFrom(in, ReadOptions.UNLIMITED);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return buffer;
  }

  void putHash(long hash) {
    if (hashes != null) {
      if (hashes.add(hash) && hashes.size() > mostHashes) {
        turnIntoBits();
      }
    } else if (bits != null) {
      bits.putHash(hash);
    } else {
      unpack();
      putHash(hash);
    }
  }

  void merge(KeyBuffer other) {
    unpack();
    if (other.bits != null) {
      turnIntoBits();
      bits = Objects.requireNonNull(bits).union(other.bits, 1);
      return;
    }
    if (hashes != null && (long) hashes.size() + other.hashCount() > mostHashes) {
      turnIntoBits();
    }
    if (hashes != null) {
      hashes.reserve(hashes.size() + other.hashCount());
      other.forEach(hashes::add);
    } else {
      other.forEach(Objects.requireNonNull(bits)::putHash);
    }
  }

  private int hashCount() {
    return hashes != null
        ? hashes.size()
        : PackedHashes.count(Objects.requireNonNull(packed), FORM);
  }

  private void forEach(LongConsumer consumer) {
    if (hashes != null) {
      hashes.forEach(consumer);
    } else {
      PackedHashes.forEach(Objects.requireNonNull(packed), FORM, consumer);
    }
  }

  private void unpack() {
    if (packed != null) {
      DistinctHashes set = new DistinctHashes();
      set.reserve(hashCount());
      forEach(set::add);
      hashes = set;
      packed = null;
    }
  }

  private void turnIntoBits() {
    if (bits == null) {
      BloomFilter filter = size.empty(size.capacity());
      forEach(filter::putHash);
      bits = filter;
      hashes = null;
      packed = null;
    }
  }

  byte[] serialize() {
    if (bits != null) {
      ByteArrayOutputStream out = new ByteArrayOutputStream((int) (bits.bits() / 8) + 1024);
      out.write(BITS);
      try {
        bits.writeTo(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return out.toByteArray();
    }
    if (packed != null) {
      return packed;
    }
    byte[] bytes = PackedHashes.pack(Objects.requireNonNull(hashes).sorted(), FORM);
    bytes[0] = HASHES;
    return bytes;
  }

  BloomFilter result() {
    if (bits != null) {
      return size.result(bits.approximateElementCount(), bits::foldTo);
    }
    return size.result(
        hashCount(),
        length -> {
          BloomFilter filter = size.empty(length);
          forEach(filter::putHash);
          return filter;
        });
  }
}

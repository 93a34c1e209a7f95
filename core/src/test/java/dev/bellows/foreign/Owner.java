package dev.bellows.foreign;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import dev.bellows.foreign.ForeignFilter.Format;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.util.bloom.Key;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;

/**
 * A library that owns a format, used through its own classes: it loads bytes, puts keys and writes
 * bytes.
 *
 * @param name which of its variants
 * @param format the format
 * @param types what its keys can be
 * @param sizes sizes in bits to try, with many divisors and with few
 * @param empty the bytes of an empty filter of a size and this many hashes
 * @param loader the library's own reading
 */
record Owner(
    String name,
    Format format,
    List<Format.KeyType> types,
    List<Long> sizes,
    Empty empty,
    Loader loader) {
  interface Empty {
    byte[] bytes(long bits, int hashes);
  }

  interface Loader {
    Loaded load(byte[] bytes, Format.KeyType type) throws IOException;
  }

  /** A filter inside its own library. */
  interface Loaded {
    void put(Object key);

    boolean mightContain(Object key);

    byte[] bytes() throws IOException;
  }

  private static final List<Format.KeyType> ALL = List.of(Format.KeyType.values());
  private static final List<Format.KeyType> NO_UTF16 =
      ALL.stream().filter(type -> type != Format.KeyType.UTF16).toList();
  private static final List<Long> WORDS = List.of(64L * 720, 64L * 35, 64L * 127, 64L);

  static List<Owner> all() {
    return List.of(
        new Owner("MITZ_32", Format.GUAVA, ALL, WORDS, guava(0), Owner::guava),
        new Owner("MITZ_64", Format.GUAVA, ALL, WORDS, guava(1), Owner::guava),
        new Owner("V1", Format.SPARK, NO_UTF16, WORDS, spark(1, 1), Owner::spark),
        new Owner("V2", Format.SPARK, NO_UTF16, WORDS, spark(2, 0), Owner::spark),
        new Owner("V2 seeded", Format.SPARK, NO_UTF16, WORDS, spark(2, -7), Owner::spark),
        new Owner(
            "bitset",
            Format.PARQUET,
            NO_UTF16,
            List.of(256L * 64, 256L * 60, 256L * 127, 256L),
            (bits, hashes) -> new byte[(int) (bits / 8)],
            Owner::parquet),
        new Owner("jenkins", Format.HADOOP, NO_UTF16, ODD, hadoop(0), Owner::hadoop),
        new Owner("murmur", Format.HADOOP, NO_UTF16, ODD, hadoop(1), Owner::hadoop));
  }

  private static final List<Long> ODD = List.of(27720L, 5005L, 8191L, 7L);

  Loaded load(byte[] bytes, Format.KeyType type) {
    try {
      return loader.load(bytes, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes that the library writes after putting the keys into an empty filter of the size. */
  byte[] built(long bits, int hashes, Format.KeyType type, List<Object> keys) throws IOException {
    Loaded filter = load(empty.bytes(bits, hashes), type);
    keys.forEach(filter::put);
    return filter.bytes();
  }

  @Override
  public String toString() {
    return format.library() + " " + name;
  }

  private static Empty guava(int strategy) {
    return (bits, hashes) ->
        ByteBuffer.allocate((int) (6 + bits / 8))
            .put((byte) strategy)
            .put((byte) hashes)
            .putInt((int) (bits / 64))
            .array();
  }

  private static Empty spark(int version, int seed) {
    return (bits, hashes) -> {
      ByteBuffer out = ByteBuffer.allocate((int) ((version == 1 ? 12 : 16) + bits / 8));
      out.putInt(version).putInt(hashes);
      if (version == 2) {
        out.putInt(seed);
      }
      return out.putInt((int) (bits / 64)).array();
    };
  }

  private static Empty hadoop(int function) {
    return (bits, hashes) -> {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try {
        new org.apache.hadoop.util.bloom.BloomFilter((int) bits, hashes, function)
            .write(new DataOutputStream(out));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return out.toByteArray();
    };
  }

  @SuppressWarnings("unchecked")
  static Funnel<Object> funnel(Format.KeyType type) {
    Funnel<?> funnel =
        switch (type) {
          case UTF8 -> Funnels.stringFunnel(StandardCharsets.UTF_8);
          case UTF16 -> Funnels.unencodedCharsFunnel();
          case LONG -> Funnels.longFunnel();
          case INT -> Funnels.integerFunnel();
          case BYTES -> Funnels.byteArrayFunnel();
        };
    return (Funnel<Object>) funnel;
  }

  private static Loaded guava(byte[] bytes, Format.KeyType type) throws IOException {
    BloomFilter<Object> filter =
        BloomFilter.readFrom(new ByteArrayInputStream(bytes), funnel(type));
    return new Loaded() {
      @Override
      public void put(Object key) {
        filter.put(key);
      }

      @Override
      public boolean mightContain(Object key) {
        return filter.mightContain(key);
      }

      @Override
      public byte[] bytes() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        filter.writeTo(out);
        return out.toByteArray();
      }
    };
  }

  private static Loaded spark(byte[] bytes, Format.KeyType type) throws IOException {
    org.apache.spark.util.sketch.BloomFilter filter =
        org.apache.spark.util.sketch.BloomFilter.readFrom(bytes);
    return new Loaded() {
      @Override
      public void put(Object key) {
        filter.put(key);
      }

      @Override
      public boolean mightContain(Object key) {
        return filter.mightContain(key);
      }

      @Override
      public byte[] bytes() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        filter.writeTo(out);
        return out.toByteArray();
      }
    };
  }

  private static Loaded parquet(byte[] bytes, Format.KeyType type) {
    BlockSplitBloomFilter filter = new BlockSplitBloomFilter(bytes.clone());
    return new Loaded() {
      private long hash(Object key) {
        return switch (type) {
          case LONG -> filter.hash((long) key);
          case INT -> filter.hash((int) key);
          case BYTES -> filter.hash(Binary.fromConstantByteArray((byte[]) key));
          default -> filter.hash(Binary.fromString((String) key));
        };
      }

      @Override
      public void put(Object key) {
        filter.insertHash(hash(key));
      }

      @Override
      public boolean mightContain(Object key) {
        return filter.findHash(hash(key));
      }

      @Override
      public byte[] bytes() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        filter.writeTo(out);
        return out.toByteArray();
      }
    };
  }

  private static Loaded hadoop(byte[] bytes, Format.KeyType type) throws IOException {
    org.apache.hadoop.util.bloom.BloomFilter filter =
        new org.apache.hadoop.util.bloom.BloomFilter();
    filter.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
    return new Loaded() {
      /** Numbers as LongWritable and IntWritable write them. */
      private Key key(Object key) {
        return new Key(
            switch (type) {
              case LONG -> ByteBuffer.allocate(8).putLong((long) key).array();
              case INT -> ByteBuffer.allocate(4).putInt((int) key).array();
              case BYTES -> (byte[]) key;
              default -> ((String) key).getBytes(StandardCharsets.UTF_8);
            });
      }

      @Override
      public void put(Object key) {
        filter.add(key(key));
      }

      @Override
      public boolean mightContain(Object key) {
        return filter.membershipTest(key(key));
      }

      @Override
      public byte[] bytes() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        filter.write(new DataOutputStream(out));
        return out.toByteArray();
      }
    };
  }
}

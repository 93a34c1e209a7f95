package dev.bellows.bench.peers;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/** Hadoop's filters with the faster of its two hashes, Murmur. */
final class Hadoop {
  private static final int HASHES = 7;
  private static final int ROWS = 10;
  private static final int ROW_HASHES = 10;
  private static final int COUNTER_BITS = 4;

  private Hadoop() {}

  private static int bits(long keys, double fpp) {
    return (int) Math.ceil(-keys * Math.log(fpp) / (Math.log(2) * Math.log(2)));
  }

  private static BloomFilter filter(long keys) {
    return new BloomFilter(bits(keys, Peer.FPP), HASHES, Hash.MURMUR_HASH);
  }

  private static Key key(long key) {
    return new Key(ByteBuffer.allocate(Long.BYTES).putLong(key).array());
  }

  /** Over longs. */
  public static final class Longs extends LongsFilter {
    private final BloomFilter filter;

    public Longs(Peer peer, long keys) {
      filter = filter(keys);
    }

    @Override
    public void put(long key) {
      filter.add(key(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.membershipTest(key(key));
    }

    @Override
    public long bits() {
      return filter.getVectorSize();
    }
  }

  /** Over text. */
  public static final class Texts extends KeyedFilter<String> {
    private final BloomFilter filter;

    public Texts(Peer peer, long keys) {
      filter = filter(keys);
    }

    @Override
    public void put(String key) {
      filter.add(new Key(key.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public boolean mightContain(String key) {
      return filter.membershipTest(new Key(key.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public long bits() {
      return filter.getVectorSize();
    }
  }

  /** Over bytes. */
  public static final class Bytes extends KeyedFilter<byte[]> {
    private final BloomFilter filter;

    public Bytes(Peer peer, long keys) {
      filter = filter(keys);
    }

    @Override
    public void put(byte[] key) {
      filter.add(new Key(key));
    }

    @Override
    public boolean mightContain(byte[] key) {
      return filter.membershipTest(new Key(key));
    }

    @Override
    public long bits() {
      return filter.getVectorSize();
    }
  }

  /** Counters of 4 bits. */
  private abstract static class Counters extends LongsFilter {
    private final CountingBloomFilter filter;
    private final int counters;

    Counters(int counters, int hashes) {
      this.counters = counters;
      filter = new CountingBloomFilter(counters, hashes, Hash.MURMUR_HASH);
    }

    @Override
    public final void put(long key) {
      filter.add(key(key));
    }

    @Override
    public final boolean mightContain(long key) {
      return filter.membershipTest(key(key));
    }

    @Override
    public final void remove(long key) {
      filter.delete(key(key));
    }

    @Override
    public final long bits() {
      return (long) COUNTER_BITS * counters;
    }
  }

  /** Over longs that can be taken back. */
  public static final class Counting extends Counters {
    public Counting(Peer peer, long keys) {
      super(Hadoop.bits(keys, Peer.FPP), HASHES);
    }
  }

  /** The same store as the autoscaling filter's. */
  public static final class Thresholds extends Counters {
    public Thresholds(Peer peer, long keys) {
      super(Structures.COUNTERS, Structures.HASHES);
    }
  }

  /** Rows of a tenth of the keys, each at a tenth of the rate. */
  public static final class Growing extends LongsFilter {
    private final DynamicBloomFilter filter;
    private final int rowBits;

    public Growing(Peer peer, long keys) {
      int row = Math.toIntExact((keys + ROWS - 1) / ROWS);
      rowBits = Hadoop.bits(row, Peer.FPP / ROWS);
      filter = new DynamicBloomFilter(rowBits, ROW_HASHES, Hash.MURMUR_HASH, row);
    }

    @Override
    public void put(long key) {
      filter.add(key(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.membershipTest(key(key));
    }

    @Override
    public long bits() {
      return (long) ROWS * rowBits;
    }
  }

  /** Merges in place. */
  public static final class Whole extends WholeFilter {
    private final BloomFilter filter;
    private final BloomFilter other;
    private final MemoryStream memory;
    private final byte[] bytes;

    public Whole(Peer peer, long keys) throws IOException {
      filter = filter(keys);
      other = filter(keys);
      Fill.both(keys, key -> filter.add(key(key)), key -> other.add(key(key)));
      memory = MemoryStream.forBits(filter.getVectorSize());
      filter.write(new DataOutputStream(memory));
      bytes = memory.bytes();
    }

    @Override
    public long bits() {
      return filter.getVectorSize();
    }

    @Override
    public Object union() {
      filter.or(other);
      return filter;
    }

    @Override
    public Object intersection() {
      filter.and(other);
      return filter;
    }

    @Override
    public Object write() throws IOException {
      memory.reset();
      filter.write(new DataOutputStream(memory));
      return memory;
    }

    @Override
    public Object read() throws IOException {
      BloomFilter read = new BloomFilter();
      read.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
      return read;
    }
  }
}

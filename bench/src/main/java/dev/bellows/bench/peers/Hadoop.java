package dev.bellows.bench.peers;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/** Hadoop's filters with the faster of its two hashes, Murmur. */
public final class Hadoop {
  private static final int HASHES = 7;
  private static final int ROWS = 10;
  private static final int ROW_HASHES = 10;
  private static final int COUNTER_BITS = 4;

  private Hadoop() {}

  private static int bits(long keys, double fpp) {
    return (int) Math.ceil(-keys * Math.log(fpp) / (Math.log(2) * Math.log(2)));
  }

  /** Returns the bytes of a long as a key. */
  public static Key key(long key) {
    return new Key(ByteBuffer.allocate(Long.BYTES).putLong(key).array());
  }

  /** Merges in place. */
  public static final class Plain extends Contender {
    private final BloomFilter filter;

    public Plain(Peer peer, Role role, long keys) {
      filter = new BloomFilter(Hadoop.bits(keys, Peer.FPP), HASHES, Hash.MURMUR_HASH);
    }

    @Override
    public long bits() {
      return filter.getVectorSize();
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
    public void putObject(Object key) {
      filter.add(new Key(BenchKeys.bytesOf(key)));
    }

    @Override
    public boolean mightContainObject(Object key) {
      return filter.membershipTest(new Key(BenchKeys.bytesOf(key)));
    }

    @Override
    public Object union(Contender other) {
      filter.or(((Plain) other).filter);
      return filter;
    }

    @Override
    public Object intersection(Contender other) {
      filter.and(((Plain) other).filter);
      return filter;
    }

    @Override
    public Object write(MemoryStream memory) throws IOException {
      filter.write(new DataOutputStream(memory));
      return memory;
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
      BloomFilter read = new BloomFilter();
      read.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
      return read;
    }
  }

  /** Over longs that can be removed, in counters of 4 bits. */
  public static class Counting extends LongsOnly {
    private final CountingBloomFilter filter;
    private final int counters;

    public Counting(Peer peer, Role role, long keys) {
      this(Hadoop.bits(keys, Peer.FPP), HASHES);
    }

    Counting(int counters, int hashes) {
      this.counters = counters;
      filter = new CountingBloomFilter(counters, hashes, Hash.MURMUR_HASH);
    }

    @Override
    public final long bits() {
      return (long) COUNTER_BITS * counters;
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
  }

  /** With as many counters and hashes as the autoscaling filter. */
  public static final class Thresholds extends Counting {
    public Thresholds(Peer peer, Role role, long keys) {
      super(Structures.COUNTERS, Structures.HASHES);
    }
  }

  /** Rows of a tenth of the keys, each at a tenth of the rate. */
  public static final class Growing extends LongsOnly {
    private final DynamicBloomFilter filter;
    private final int rowBits;

    public Growing(Peer peer, Role role, long keys) {
      int row = Math.toIntExact((keys + ROWS - 1) / ROWS);
      rowBits = Hadoop.bits(row, Peer.FPP / ROWS);
      filter = new DynamicBloomFilter(rowBits, ROW_HASHES, Hash.MURMUR_HASH, row);
    }

    @Override
    public long bits() {
      return (long) ROWS * rowBits;
    }

    @Override
    public void put(long key) {
      filter.add(key(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.membershipTest(key(key));
    }
  }
}

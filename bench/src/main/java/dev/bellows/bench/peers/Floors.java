package dev.bellows.bench.peers;

import dev.bellows.HashScheme;

/** What no filter can be faster than: the memory it must read, the hash of its key. */
final class Floors {
  private Floors() {}

  /** One long of a store as large as a filter's, by the cheapest mixing; or XXH3 and no store. */
  public static final class Longs extends LongsFilter {
    private static final long ODD = 0x9e3779b97f4a7c15L;

    private final boolean hash;
    private final long[] words;

    public Longs(Peer peer, long keys) {
      hash = peer == Peer.HASH;
      words = new long[hash ? 1 : (int) (keys * 10 / Long.SIZE) + 1];
    }

    private int place(long key) {
      return (int) Math.multiplyHigh((key * ODD) >>> 1, 2L * words.length);
    }

    @Override
    public void put(long key) {
      if (hash) {
        words[0] |= HashScheme.DEFAULT.hash(key);
      } else {
        words[place(key)] |= 1L << key;
      }
    }

    @Override
    public boolean mightContain(long key) {
      return hash ? HashScheme.DEFAULT.hash(key) >= 0 : (words[place(key)] >>> key & 1) != 0;
    }

    @Override
    public long bits() {
      return (long) Long.SIZE * words.length;
    }
  }

  /** XXH3 of the text's UTF-8. */
  public static final class Texts extends KeyedFilter<String> {
    private long sum;

    public Texts(Peer peer, long keys) {}

    @Override
    public void put(String key) {
      sum |= HashScheme.DEFAULT.hash(key);
    }

    @Override
    public boolean mightContain(String key) {
      return HashScheme.DEFAULT.hash(key) >= 0;
    }

    @Override
    public long bits() {
      return Long.SIZE;
    }

    @Override
    public String toString() {
      return "hashes " + sum;
    }
  }

  /** XXH3 of the bytes. */
  public static final class Bytes extends KeyedFilter<byte[]> {
    private long sum;

    public Bytes(Peer peer, long keys) {}

    @Override
    public void put(byte[] key) {
      sum |= HashScheme.DEFAULT.hash(key);
    }

    @Override
    public boolean mightContain(byte[] key) {
      return HashScheme.DEFAULT.hash(key) >= 0;
    }

    @Override
    public long bits() {
      return Long.SIZE;
    }

    @Override
    public String toString() {
      return "hashes " + sum;
    }
  }

  /** A store as large as a filter's, copied to fresh memory. */
  public static final class Whole extends WholeFilter {
    private final long[] words;

    public Whole(Peer peer, long keys) {
      words = new long[(int) (keys * 10 / Long.SIZE)];
      java.util.Arrays.setAll(words, i -> i);
    }

    @Override
    public long bits() {
      return (long) Long.SIZE * words.length;
    }

    @Override
    public Object copy() {
      return words.clone();
    }
  }
}

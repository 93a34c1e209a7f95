package dev.bellows.bench.peers;

import dev.bellows.HashScheme;
import java.util.Arrays;

/** Lower bounds for every filter: the memory it must read, the hash of its key. */
final class Floors {
  private Floors() {}

  private static long hash(Object key) {
    return key instanceof String text
        ? HashScheme.DEFAULT.hash(text)
        : HashScheme.DEFAULT.hash((byte[]) key);
  }

  /**
   * One long of a store as large as a filter's, by the cheapest mixing, or XXH3 and no store; and
   * that store copied to fresh memory.
   */
  public static final class Plain extends Contender {
    private static final long ODD = 0x9e3779b97f4a7c15L;

    private final boolean hash;
    private final long[] words;

    public Plain(Peer peer, Role role, long keys) {
      hash = peer == Peer.HASH;
      words = new long[hash ? 1 : (int) (keys * 10 / Long.SIZE) + 1];
      if (peer == Peer.MEMORY_COPY) {
        Arrays.setAll(words, i -> i);
      }
    }

    @Override
    public long bits() {
      return (long) Long.SIZE * words.length;
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
    public void putObject(Object key) {
      words[0] |= hash(key);
    }

    @Override
    public boolean mightContainObject(Object key) {
      return hash(key) >= 0;
    }

    @Override
    public Object copy() {
      return words.clone();
    }
  }
}

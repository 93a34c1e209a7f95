package dev.bellows.bench.peers;

/** A static filter, which is built from all of its keys at once. */
abstract class Gathered extends LongsOnly {
  private final long[] keys;
  private int count;

  Gathered(long keys) {
    this.keys = new long[Math.toIntExact(keys)];
  }

  /** Builds the filter. */
  abstract void build(long[] keys);

  @Override
  public final void put(long key) {
    keys[count++] = key;
  }

  @Override
  public final void loaded() {
    build(keys);
  }
}

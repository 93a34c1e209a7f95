package dev.bellows.bench.peers;

/** A contender that accepts only longs as keys. */
abstract class LongsOnly extends Contender {
  @Override
  public final void putObject(Object key) {
    throw absent();
  }

  @Override
  public final boolean mightContainObject(Object key) {
    throw absent();
  }
}

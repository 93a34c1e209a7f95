package dev.bellows.bench.peers;

/** A contender whose keys are longs and nothing else. */
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

package dev.bellows.internal.store;

/** Goes through the prefixes of a store chunk by chunk, each as it was at one moment. */
final class PrefixScan extends PrefixSource {
  private final PrefixStore store;
  private long address;
  private long head;
  private PrefixWalk walk;

  PrefixScan(PrefixStore store) {
    this.store = store;
    this.walk = walk();
  }

  private PrefixWalk walk() {
    long[] chunk = snapshot();
    head = chunk[0];
    return new PrefixWalk(chunk);
  }

  @Override
  public boolean next() {
    while (!walk.next()) {
      long behind = PrefixHead.behind(head, address);
      if (behind == 0) {
        return false;
      }
      address = behind;
      walk = walk();
    }
    return found(
        PrefixHead.prefix(head, address, walk.bucket, walk.slot),
        PrefixHead.length(head, walk.slot));
  }

  private long[] snapshot() {
    for (int spins = 0; ; spins++) {
      long[] chunk = store.chunk(address);
      long before = PrefixLock.head(chunk);
      if (before >= 0) {
        long[] copy = chunk.clone();
        if (PrefixLock.isStill(chunk, before)) {
          copy[0] = before;
          return copy;
        }
      }
      PrefixLock.pause(spins);
    }
  }
}

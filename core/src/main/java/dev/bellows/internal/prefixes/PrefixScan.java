package dev.bellows.internal.prefixes;

import java.util.function.LongConsumer;

/** Goes through the prefixes of a store chunk by chunk, each as it was at one moment. */
final class PrefixScan extends PrefixSource {
  private final PrefixStore store;
  private final LongConsumer scanning;
  private long address;
  private long head;
  private PrefixWalk walk;

  /**
   * @param scanning called with the first hash of each chunk before it is read
   */
  PrefixScan(PrefixStore store, LongConsumer scanning) {
    this.store = store;
    this.scanning = scanning;
    this.walk = walk();
  }

  private PrefixWalk walk() {
    scanning.accept(address);
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
      if (PrefixLock.isReadable(before)) {
        long[] copy = chunk.clone();
        if (PrefixLock.isStill(chunk, before)) {
          copy[0] = PrefixHead.unlocked(before);
          return copy;
        }
      }
      PrefixLock.pause(spins);
    }
  }
}

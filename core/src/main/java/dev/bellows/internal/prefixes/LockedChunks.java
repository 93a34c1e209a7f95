package dev.bellows.internal.prefixes;

import java.util.Arrays;

/** All chunks of a store, frozen: no prefix changes until they are released. */
final class LockedChunks {
  private long[][] chunks;
  private long[] heads;
  private int count;
  private boolean isReplaced;

  LockedChunks(int expected) {
    this.chunks = new long[expected][];
    this.heads = new long[expected];
  }

  void freezeAll(PrefixStore store) {
    long address = 0;
    do {
      if (count == heads.length) {
        // before the next lock, because memory may be short
        chunks = Arrays.copyOf(chunks, 2 * count);
        heads = Arrays.copyOf(heads, 2 * count);
      }
      long[] chunk = store.chunk(address);
      long head = PrefixLock.freeze(chunk);
      // otherwise others have replaced it: the next one is in its place
      if (head >= 0) {
        chunks[count] = chunk;
        heads[count++] = head;
        address = PrefixHead.behind(head, address);
      }
    } while (count == 0 || address != 0);
  }

  /** Others take the place of these chunks, which stay locked. */
  void areReplaced() {
    isReplaced = true;
  }

  void release() {
    // plain stores: the chunks are as they were, and a replaced one sends to the directory
    for (int i = 0; i < count; i++) {
      chunks[i][0] = isReplaced ? PrefixLock.REPLACED : heads[i];
    }
  }
}

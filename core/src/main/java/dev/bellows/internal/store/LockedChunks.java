package dev.bellows.internal.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All chunks of a store, locked: nobody changes a prefix until they are released. */
final class LockedChunks {
  private long[][] chunks;
  private long[] heads;
  private int count;

  LockedChunks(int expected) {
    this.chunks = new long[expected][];
    this.heads = new long[expected];
  }

  void lockAll(PrefixStore store) {
    long address = 0;
    do {
      if (count == heads.length) {
        // before the next lock, because memory may be short
        chunks = Arrays.copyOf(chunks, 2 * count);
        heads = Arrays.copyOf(heads, 2 * count);
      }
      long[] chunk = store.chunk(address);
      long head = PrefixLock.lock(chunk);
      // otherwise others have replaced it: the next one is in its place
      if (head >= 0) {
        chunks[count] = chunk;
        heads[count++] = head;
        address = PrefixHead.behind(head, address);
      }
    } while (count == 0 || address != 0);
  }

  /** Copies of the chunks that are not locked. */
  List<long[]> copies() {
    List<long[]> copies = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long[] copy = chunks[i].clone();
      copy[0] = heads[i];
      copies.add(copy);
    }
    return copies;
  }

  /** Others have taken the place of these chunks, which stay locked. */
  void areReplaced() {
    Arrays.fill(heads, 0, count, PrefixLock.REPLACED);
  }

  void release() {
    for (int i = 0; i < count; i++) {
      PrefixLock.unlock(chunks[i], heads[i]);
    }
  }
}

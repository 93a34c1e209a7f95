package dev.bellows.papers;

import java.util.function.Supplier;

/** What things take of the heap, by the collector's own account; nothing else may run meanwhile. */
public final class Heap {
  private Heap() {}

  /** The bytes that what is built takes, with compressed pointers if the JVM has them. */
  public static long bytes(Supplier<?> build) {
    long before = used();
    Object built = build.get();
    long after = used();
    java.lang.ref.Reference.reachabilityFence(built);
    return after - before;
  }

  private static long used() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}

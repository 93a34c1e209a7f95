package dev.bellows.papers;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What things take of the heap, by the collector's own account of live objects; nothing else may
 * run meanwhile. What is free or used of its regions is no such account: it has parts of buffers in
 * which threads allocate.
 */
public final class Heap {
  private Heap() {}

  /** Returns the bytes that what is built takes, with compressed pointers if the JVM has them. */
  public static long bytes(Supplier<?> build) {
    long before = live();
    Object built = build.get();
    long after = live();
    Reference.reachabilityFence(built);
    return after - before;
  }

  /** Returns the bytes of all objects that survive a collection. */
  private static long live() {
    try {
      String histogram =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
      // the last line: Total, instances, bytes
      String[] total = histogram.strip().split("\\s+");
      return Long.parseLong(total[total.length - 1]);
    } catch (JMException e) {
      throw new IllegalStateException("this JVM has no account of its live objects", e);
    }
  }
}

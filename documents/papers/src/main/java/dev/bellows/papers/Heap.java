package dev.bellows.papers;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Heap usage by the histogram of live objects that the garbage collector reports. Nothing else may
 * run at the same time. The free and used sizes of the heap are not precise enough, since they
 * include thread-local allocation buffers.
 */
public final class Heap {
  private Heap() {}

  /** Returns the heap size of what the supplier builds, with compressed pointers if enabled. */
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

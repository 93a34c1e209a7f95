package dev.bellows.spark.internal;

import dev.bellows.Filter;
import dev.bellows.Membership;
import java.io.IOException;
import java.io.Serializable;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A filter as bytes that is read once per process: tasks that bring the same bytes share the
 * filter. It travels as its bytes.
 */
public final class SharedFilter implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int REMEMBERED = 16;

  /** The filters read last; the memory is given back when the process needs it. */
  private static final AtomicReferenceArray<@Nullable SoftReference<SharedFilter>> RECENT =
      new AtomicReferenceArray<>(REMEMBERED);

  private static final AtomicInteger READS = new AtomicInteger();

  private final byte[] bytes;
  private transient volatile @Nullable Membership filter;

  public SharedFilter(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The one filter of these bytes in this process. */
  static SharedFilter of(byte[] bytes) {
    return recent(bytes)
        .orElseGet(
            () -> {
              synchronized (RECENT) {
                return recent(bytes).orElseGet(() -> remembered(new SharedFilter(bytes)));
              }
            });
  }

  private static Optional<SharedFilter> recent(byte[] bytes) {
    for (int i = 0; i < REMEMBERED; i++) {
      SoftReference<SharedFilter> reference = RECENT.get(i);
      SharedFilter shared = reference == null ? null : reference.get();
      if (shared != null && Arrays.equals(shared.bytes, bytes)) {
        return Optional.of(shared);
      }
    }
    return Optional.empty();
  }

  private static SharedFilter remembered(SharedFilter shared) {
    shared.filter();
    RECENT.set(Math.floorMod(READS.get(), REMEMBERED), new SoftReference<>(shared));
    return shared;
  }

  /** How many filters this process has read. */
  public static int reads() {
    return READS.get();
  }

  boolean isOf(byte[] other) {
    return bytes == other;
  }

  Membership filter() {
    Membership read = filter;
    if (read == null) {
      synchronized (this) {
        read = filter;
        if (read == null) {
          read = read(bytes);
          filter = read;
        }
      }
    }
    return read;
  }

  private static Membership read(byte[] bytes) {
    READS.incrementAndGet();
    if (parse(bytes) instanceof Membership membership) {
      return membership;
    }
    throw new IllegalArgumentException("this filter takes no keys: ask it through its own class");
  }

  static Filter parse(byte[] bytes) {
    try {
      return Filter.fromBytes(bytes);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a Bellows filter: " + e.getMessage(), e);
    }
  }
}

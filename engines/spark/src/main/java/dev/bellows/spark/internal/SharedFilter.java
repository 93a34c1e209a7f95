package dev.bellows.spark.internal;

import dev.bellows.Filter;
import dev.bellows.Membership;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A filter as bytes that is parsed once per process: tasks with the same bytes share the filter. It
 * is serialized as its bytes.
 */
public final class SharedFilter implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int REMEMBERED = 64;

  /** Places in which a filter may be, from its own on. */
  private static final int WAYS = 4;

  /** Words of a filter that its place among the remembered ones is made of. */
  private static final int SAMPLES = 16;

  /**
   * The filters read last, each at the place that a few words of it name; the memory is released
   * when the process needs it.
   */
  private static final AtomicReferenceArray<@Nullable SoftReference<SharedFilter>> RECENT =
      new AtomicReferenceArray<>(REMEMBERED);

  private static final AtomicInteger READS = new AtomicInteger();

  private final byte[] bytes;
  private transient volatile @Nullable Membership filter;

  public SharedFilter(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the one filter of these bytes in this process. */
  static SharedFilter of(byte[] bytes) {
    return recent(bytes)
        .orElseGet(
            () -> {
              synchronized (RECENT) {
                return recent(bytes).orElseGet(() -> remembered(new SharedFilter(bytes)));
              }
            });
  }

  /** All bytes are compared: filters of the same place may differ in any of them. */
  private static Optional<SharedFilter> recent(byte[] bytes) {
    int place = place(bytes);
    for (int way = 0; way < WAYS; way++) {
      SharedFilter shared = at(place + way);
      if (shared != null && Arrays.equals(shared.bytes, bytes)) {
        return Optional.of(shared);
      }
    }
    return Optional.empty();
  }

  private static SharedFilter remembered(SharedFilter shared) {
    shared.filter();
    int place = place(shared.bytes);
    int way = 0;
    while (way < WAYS && at(place + way) != null) {
      way++;
    }
    int free = way < WAYS ? way : Math.floorMod(READS.get(), WAYS);
    RECENT.set((place + free) % REMEMBERED, new SoftReference<>(shared));
    return shared;
  }

  private static @Nullable SharedFilter at(int place) {
    SoftReference<SharedFilter> reference = RECENT.get(place % REMEMBERED);
    return reference == null ? null : reference.get();
  }

  private static int place(byte[] bytes) {
    int hash = bytes.length;
    for (int i = 1; i <= SAMPLES; i++) {
      int end = (int) ((long) bytes.length * i / SAMPLES);
      for (int at = Math.max(0, end - Long.BYTES); at < end; at++) {
        hash = 31 * hash + bytes[at];
      }
    }
    return Math.floorMod(hash ^ (hash >>> 16), REMEMBERED);
  }

  /** Returns how many filters this process has read. */
  public static int reads() {
    return READS.get();
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
    Filter parsed = parse(bytes);
    String problem = problemWith(parsed.kind());
    if (problem == null && parsed instanceof Membership membership) {
      return membership;
    }
    throw new IllegalArgumentException(
        problem == null
            ? "a filter of kind %s takes no keys: query it through its own class"
                .formatted(parsed.kind().word())
            : problem);
  }

  /** Why a filter cannot be queried, as far as its header tells; null if it can. */
  static @Nullable String problemWith(byte[] bytes) {
    try {
      InputStream in = new ByteArrayInputStream(bytes);
      return problemWith(FilterReader.open(in, ReadOptions.UNLIMITED).header().kind());
    } catch (IOException e) {
      return notAFilter(e);
    }
  }

  private static @Nullable String problemWith(FilterKind kind) {
    return !GradedMembership.class.isAssignableFrom(Filters.format(kind).type())
        ? null
        : "a filter of kind %s cannot be queried here, because its answer \"no\" is not certain: rows of stored keys would be dropped; query it through its own class"
            .formatted(kind.word());
  }

  /**
   * Returns the filter of whatever kind; its bytes are in memory already, so their number has no
   * limit.
   */
  static Filter parse(byte[] bytes) {
    try {
      return Filters.fromBytes(bytes, ReadOptions.UNLIMITED);
    } catch (FilterFormatException e) {
      throw new IllegalArgumentException(notAFilter(e), e);
    }
  }

  private static String notAFilter(IOException e) {
    return "not a Bellows filter: " + e.getMessage();
  }
}

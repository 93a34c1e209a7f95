package dev.bellows.spark.internal;

import dev.bellows.Filter;
import dev.bellows.Membership;
import dev.bellows.internal.codec.FilterReader;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
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
    Filter parsed = parse(bytes);
    String problem = problemWith(parsed.kind());
    if (problem == null && parsed instanceof Membership membership) {
      return membership;
    }
    throw new IllegalArgumentException(
        problem == null
            ? "a filter of kind %s takes no keys: ask it through its own class"
                .formatted(parsed.kind().word())
            : problem);
  }

  /** Why a filter of some bytes cannot be asked, as far as their header tells; null if it can. */
  static @Nullable String problemWith(byte[] bytes) {
    try {
      InputStream in = new ByteArrayInputStream(bytes);
      return problemWith(FilterReader.open(in, ReadOptions.UNLIMITED).header().kind());
    } catch (IOException e) {
      return notAFilter(e);
    }
  }

  private static @Nullable String problemWith(FilterKind kind) {
    return kind.isCertain()
        ? null
        : "a filter of kind %s cannot be asked here, because its no is not certain: rows of stored keys would be dropped; ask it through its own class"
            .formatted(kind.word());
  }

  /** The filter of whatever kind; its bytes are in memory already, so their number has no limit. */
  static Filter parse(byte[] bytes) {
    try {
      return Filter.fromBytes(bytes, ReadOptions.UNLIMITED);
    } catch (FilterFormatException e) {
      throw new IllegalArgumentException(notAFilter(e), e);
    }
  }

  private static String notAFilter(IOException e) {
    return "not a Bellows filter: " + e.getMessage();
  }
}

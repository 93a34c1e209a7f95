package dev.bellows;

import dev.bellows.internal.bits.BitStore;
import java.io.IOException;

/**
 * A handle for a filter in a mapped file, which must be closed. The {@link #filter} is read-only:
 * methods that would change it throw {@link UnsupportedOperationException}; everything else works
 * as for a filter that was read.
 *
 * <pre>{@code
 * try (MappedFilter<BloomFilter> mapped = BloomFilter.map(path)) {
 *   boolean seen = mapped.filter().mightContain(key);
 * }
 * }</pre>
 *
 * @param <F> the filter
 */
public final class MappedFilter<F> implements AutoCloseable {
  private final F filter;
  private final BitStore store;

  private MappedFilter(F filter, BitStore store) {
    this.filter = filter;
    this.store = store;
  }

  /** Creates the handle of a filter over these bits; for use by this library only. */
  @SuppressWarnings("exports")
  public static <F> MappedFilter<F> of(F filter, BitStore store) {
    return new MappedFilter<>(filter, store);
  }

  /** Returns the filter, which can be used until this handle is closed. */
  public F filter() {
    return filter;
  }

  /** Returns whether the mapped path now holds another file, or the file was changed in place. */
  public boolean isStale() {
    return store.isStale();
  }

  /** Verifies all checksums now; files of other libraries have no checksums. */
  public void verify() throws IOException {
    store.verify();
  }

  /**
   * Closes the filter: later queries throw {@link IllegalStateException}. The memory itself is
   * released when the filter is garbage-collected, because Java 17 cannot release it safely any
   * earlier.
   */
  @Override
  public void close() {
    store.close();
  }
}

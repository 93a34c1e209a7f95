package dev.bellows;

import dev.bellows.internal.bits.BitStore;
import java.io.IOException;

/**
 * A filter over a mapped file, and the handle by which its use ends. The {@link #filter} is
 * read-only: whatever would change it is an {@link UnsupportedOperationException}; queries,
 * foldings, unions, copies and numbers are those of a filter that was read.
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

  /** The handle of a filter over these bits: for the kinds of this library. */
  @SuppressWarnings("exports")
  public static <F> MappedFilter<F> of(F filter, BitStore store) {
    return new MappedFilter<>(filter, store);
  }

  /** The filter, until this handle is closed. */
  public F filter() {
    return filter;
  }

  /**
   * Whether the path that was mapped holds another file by now, or the file was changed in place.
   */
  public boolean isStale() {
    return store.isStale();
  }

  /** Compares all bits with their checksums now; a file of another library has none. */
  public void verify() throws IOException {
    store.verify();
  }

  /**
   * Ends the use of the filter: later questions are an {@link IllegalStateException}. The memory
   * itself is released when the filter is garbage, because on Java 17 it cannot be released safely
   * before.
   */
  @Override
  public void close() {
    store.close();
  }
}

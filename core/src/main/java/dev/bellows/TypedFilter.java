package dev.bellows;

import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collector;
import java.util.stream.Stream;

/**
 * A view of a filter for keys of one type, which hashes them all with the same hasher. It is
 * thread-safe if the filter is.
 *
 * <pre>{@code
 * TypedFilter<UUID> seen = BloomFilter.create(1_000_000, 0.01).typed(KeyHasher.UUIDS);
 * seen.put(order.id());
 * orders.removeIf(order -> seen.mightContain(order.id()));
 * }</pre>
 *
 * @param <T> the type of the keys
 */
public final class TypedFilter<T> implements Predicate<T> {
  private final KeyFilter filter;
  private final Membership membership;
  private final KeyHasher<? super T> hasher;

  /** Creates the view of a filter that implements both interfaces. */
  private TypedFilter(KeyFilter filter, Membership membership, KeyHasher<? super T> hasher) {
    this.filter = filter;
    this.membership = membership;
    this.hasher = Objects.requireNonNull(hasher, "hasher");
  }

  /** Returns a view of a filter that supports puts and queries. */
  public static <T, F extends KeyFilter & Membership> TypedFilter<T> of(
      F filter, KeyHasher<? super T> hasher) {
    return new TypedFilter<>(filter, filter, hasher);
  }

  /** Returns the underlying filter. */
  public KeyFilter filter() {
    return filter;
  }

  /** Puts a key and returns whether the filter changed. */
  public boolean put(T key) {
    return filter.put(key, hasher);
  }

  /** Puts every key and returns how many of them changed the filter. */
  public long putAll(Iterable<? extends T> keys) {
    return filter.putAll(keys, hasher);
  }

  /** Puts every key, one after the other, and returns how many of them changed the filter. */
  public long putAll(Stream<? extends T> keys) {
    return keys.sequential().filter(this::put).count();
  }

  /** Returns whether the key may be in the set. */
  public boolean mightContain(T key) {
    return membership.mightContain(key, hasher);
  }

  /** Returns whether the key may be in the set, as {@link #mightContain} does. */
  @Override
  public boolean test(T key) {
    return mightContain(key);
  }

  /**
   * Returns a collector that puts the keys of a stream into this filter. All threads of a parallel
   * stream put keys concurrently, so the filter must be thread-safe, as all filters of this library
   * are.
   */
  public Collector<T, ?, TypedFilter<T>> collector() {
    return Collector.of(
        () -> this,
        TypedFilter::put,
        (one, same) -> one,
        Collector.Characteristics.CONCURRENT,
        Collector.Characteristics.UNORDERED,
        Collector.Characteristics.IDENTITY_FINISH);
  }

  @Override
  public String toString() {
    return "TypedFilter[" + filter + "]";
  }
}

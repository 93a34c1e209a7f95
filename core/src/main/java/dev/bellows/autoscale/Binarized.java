package dev.bellows.autoscale;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.SerializedFilter;
import dev.bellows.internal.layout.Shape;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;

/**
 * A small filter to send: one bit for each counter of another filter, set if the counter exceeds
 * theta, and the decision threshold. It answers every query as the counters do, in a fraction of
 * their size. Immutable and thread-safe.
 *
 * <p>Theta is fixed by the bits, but {@link #withDecision} can change the decision.
 */
public abstract sealed class Binarized implements GradedMembership, Filter, Serializable
    permits BinarizedFilter, BinarizedCounting {
  private static final long serialVersionUID = 1L;

  static final long MAX_THETA = (1L << 32) - 2;
  static final long MAX_KEYS = 1L << 60;

  /** The TPR of a filter without keys, as it is stored in files. */
  static final long NOT_A_RATE = Double.doubleToLongBits(Double.NaN);

  final Shape shape;
  final HeapBits store;
  final long theta;
  final int decision;
  final long keys;

  Binarized(Shape shape, HeapBits store, long theta, int decision, long keys) {
    this.shape = shape;
    this.store = store;
    this.theta = theta;
    this.decision = decision;
    this.keys = keys;
  }

  /** Returns the number of bits, m. */
  public final long bits() {
    return shape.bits();
  }

  /** Returns the number of positions per key, k. */
  public final int hashes() {
    return shape.hashes();
  }

  @Override
  public final HashScheme hashScheme() {
    return shape.scheme();
  }

  /** Returns the theta of the original filter. */
  public final long theta() {
    return theta;
  }

  @Override
  public final long decision() {
    return decision;
  }

  /** Returns the number of keys of the original filter. */
  public final long approximateElementCount() {
    return keys;
  }

  /** Returns whether the bit at a position is one, which means that its counter exceeded theta. */
  public final boolean bit(long position) {
    return store.isSet(Checks.inRange(0, bits() - 1, position, "position"));
  }

  /**
   * Returns a filter with the same bits and another decision threshold. A lower decision misses
   * fewer stored keys, a higher one accepts fewer absent keys.
   */
  public abstract Binarized withDecision(int other);

  final int checkedDecision(int other) {
    Checks.inRange(0, hashes(), other, "decision");
    return other;
  }

  /**
   * Returns the FPR, computed from these bits, and the TPR, which was computed from the counters.
   */
  public final ThresholdPlan.Rates rates() {
    double tpr = tpr();
    return new ThresholdPlan.Rates(tpr, 1 - tpr, expectedFpp());
  }

  /** Returns the fraction of stored keys that the decision accepts; NaN if there are no keys. */
  abstract double tpr();

  @Override
  public final FilterStats stats() {
    return new FilterStats(
        kind(),
        shape.layout(),
        bits(),
        hashes(),
        hashScheme(),
        store.ones(),
        (double) keys,
        expectedFpp());
  }

  abstract FilterHeader header();

  @Override
  public final long sizeInBytes() {
    return header().fileBytes();
  }

  @Override
  public final boolean isEmpty() {
    return store.ones() == 0;
  }

  /**
   * Returns the explanation; {@code source} is the kind of filter that the bits were taken from.
   */
  final String explain(String source) {
    return "A read-only filter: which counters of "
        + source
        + " exceed theta.\n\n"
        + stats().lines("bits", sizeInBytes())
        + AutoscalingBloomFilter.describe(theta, decision, rates());
  }

  final Object writeReplace() {
    return new SerializedFilter(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }

  private void readObjectNoData() throws ObjectStreamException {
    throw SerializedFilter.refusal();
  }

  /** Returns whether the other object is a filter with the same bits and the same parameters. */
  @Override
  public final boolean equals(Object other) {
    return other instanceof Binarized filter
        && kind() == filter.kind()
        && shape.equals(filter.shape)
        && theta == filter.theta
        && decision == filter.decision
        && keys == filter.keys
        && hasSameRates(filter)
        && store.equals(filter.store);
  }

  /** Returns whether a filter of the same kind accepts the same fraction of stored keys. */
  abstract boolean hasSameRates(Binarized other);

  @Override
  public final int hashCode() {
    return 31 * shape.hashCode() + store.hashCode();
  }

  @Override
  public final String toString() {
    return "%s[%s, theta %d, decision %d]"
        .formatted(getClass().getSimpleName(), shape, theta, decision);
  }
}

package dev.bellows.elastic;

import dev.bellows.BloomFilter;
import dev.bellows.FoldableFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterKind;
import dev.bellows.plan.TransmissionPlan;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The foldings of one state that an elastic filter sends, and which of them comes next: the one
 * that tells a receiver most beside those it has (000 section IV-C).
 */
final class Transmissions {
  private final Shape capacity;
  private final FoldingView folding;

  Transmissions(Shape capacity, FoldingView folding) {
    this.capacity = capacity;
    this.folding = folding;
  }

  /** The sizes sent since the content last changed, ascending. */
  List<Long> sizes() {
    return List.copyOf(folding.sent());
  }

  private FoldableFilter<?> full() {
    return folding.kept().full();
  }

  private Shape fullShape() {
    return capacity.withBits(full().bits());
  }

  /** The rate of a receiver of foldings to these sizes, from the bits that it receives. */
  double fppOf(List<Long> sizes) {
    return FoldedFilters.jointFpp(full(), sizes);
  }

  /** Sends the folding to a size on the ladder. */
  BloomFilter ship(long bits) {
    fullShape().factorTo(bits);
    return folding.ship(bits);
  }

  /** Sends the view; under ENTROPY, if that was sent, another size, or what tells most. */
  BloomFilter snapshot(FoldPolicy policy) {
    if (policy == FoldPolicy.ENTROPY && isViewSent()) {
      folding.resize();
      if (isViewSent()) {
        return ship(next(fileBytes(viewBits())).map(TransmissionPlan::bits).orElse(viewBits()));
      }
    }
    return ship(viewBits());
  }

  private boolean isViewSent() {
    return folding.sent().contains(viewBits());
  }

  private long viewBits() {
    return folding.kept().view.bits();
  }

  /** The next folding of which the file takes at most this many bytes. */
  Optional<TransmissionPlan> next(long budgetBytes) {
    Checks.atLeast(fileBytes(capacity.layout().cellBits()), budgetBytes, "budgetBytes");
    Shape full = fullShape();
    long largest =
        full.ladder()
            .factors()
            .map(factor -> full.bits() / factor)
            .filter(bits -> fileBytes(bits) <= budgetBytes)
            .max()
            .orElse(0);
    return largest == 0
        ? Optional.empty()
        : TransmissionPlan.next(
                full().plan(),
                full().approximateElementCount(),
                sizes(),
                (largest - 1) / Byte.SIZE + 1)
            .map(this::measured);
  }

  /** The smallest folding that brings a receiver to a rate. */
  Optional<TransmissionPlan> toFpp(double fpp) {
    return TransmissionPlan.toFpp(
        full().plan(), full().approximateElementCount(), sizes(), fpp, this::measured);
  }

  /** The plan with the rates of the bits that would be sent. */
  private TransmissionPlan measured(TransmissionPlan next) {
    List<Long> all = Stream.concat(sizes().stream(), Stream.of(next.bits())).toList();
    return new TransmissionPlan(
        next.bits(), next.bytes(), next.commonBits(), fppOf(List.of(next.bits())), fppOf(all));
  }

  /** The smallest budget with a next folding; empty if the whole filter was sent. */
  OptionalLong smallestBudget() {
    OptionalLong bits = TransmissionPlan.smallest(full().plan(), sizes());
    return bits.isEmpty() ? bits : OptionalLong.of(fileBytes(bits.getAsLong()));
  }

  /** The bytes of the file of a folding to so many bits. */
  private long fileBytes(long bits) {
    long id = full().filterId();
    return ShapeCodec.header(
            FilterKind.BLOOM,
            capacity.withBits(bits),
            id == 0 ? Origin.NONE : Origin.folding(id, 0),
            List.of(),
            List.of(8 * BitStore.words(bits)))
        .fileBytes();
  }
}

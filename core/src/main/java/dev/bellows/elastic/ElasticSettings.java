package dev.bellows.elastic;

import dev.bellows.internal.layout.Shape;
import java.util.function.Consumer;

/**
 * What the builder of an elastic filter decides.
 *
 * @param fpp the middle of the band
 * @param tolerance half its width
 * @param policy how to choose among sizes in the band
 * @param step the least ratio between two sizes of the view; 0 if it follows from the tolerance
 * @param listener is told of every resize
 */
record ElasticSettings(
    double fpp,
    double tolerance,
    FoldPolicy policy,
    double step,
    Consumer<ElasticBloomFilter.Resize> listener) {
  ElasticSettings {
    checkedStep(step);
  }

  static double checkedStep(double step) {
    if (step == 0 || (step >= 1 && step <= 2)) {
      return step;
    }
    throw new IllegalArgumentException(
        "a step between sizes lies in [1, 2], or is 0 to follow the tolerance: " + step);
  }

  /** The sizes of the view of a capacity. */
  FoldBand band(Shape shape) {
    if (step == 0 && policy != FoldPolicy.ENTROPY) {
      return FoldBand.of(shape.layout(), shape.bits(), fpp, tolerance);
    }
    return FoldBand.of(shape.layout(), shape.bits(), fpp, tolerance, Math.max(1, step));
  }

  /** Whether the other decides the same; listeners are not compared. */
  boolean decidesAs(ElasticSettings other) {
    return fpp == other.fpp
        && tolerance == other.tolerance
        && policy == other.policy
        && step == other.step;
  }
}

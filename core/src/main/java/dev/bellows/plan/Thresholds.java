package dev.bellows.plan;

/**
 * Thresholds and the numbers of keys they serve.
 *
 * @param from the lowest number of keys they serve; tuned thresholds are tuned for it
 * @param to the highest number of keys they serve
 * @param theta a position hits when its counter exceeds this
 * @param decision a key is accepted when at least this many of its positions hit
 */
public record Thresholds(long from, long to, long theta, int decision) {
  /** Whether they serve this number of keys. */
  public boolean serve(long keys) {
    return from <= keys && keys <= to;
  }
}

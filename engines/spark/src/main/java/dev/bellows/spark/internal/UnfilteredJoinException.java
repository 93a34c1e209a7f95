package dev.bellows.spark.internal;

/** Says why no filter can be placed before a join. */
public final class UnfilteredJoinException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UnfilteredJoinException(String reason) {
    super(reason);
  }
}

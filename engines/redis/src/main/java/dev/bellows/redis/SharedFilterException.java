package dev.bellows.redis;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if an operation on a shared filter fails: the server could not be reached, did not answer,
 * refused a command, or no longer holds the filter that was opened. {@link #mayHaveHappened} tells
 * whether a change may nevertheless have been made. All changes may be repeated: puts are
 * idempotent, and so are foldings, unions and uploads that were interrupted.
 */
public final class SharedFilterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean mayHaveHappened;

  private SharedFilterException(
      String message, boolean mayHaveHappened, @Nullable Throwable cause) {
    super(message, cause);
    this.mayHaveHappened = mayHaveHappened;
  }

  /** Returns an exception for a command that was not sent, because there was no connection. */
  public static SharedFilterException notSent(String message, @Nullable Throwable cause) {
    return new SharedFilterException(message, false, cause);
  }

  /**
   * Returns an exception for a command that was sent but not answered: the server may have executed
   * it.
   */
  public static SharedFilterException unanswered(String message, @Nullable Throwable cause) {
    return new SharedFilterException(message, true, cause);
  }

  /**
   * Returns an exception for a command that was refused by the server, or whose precondition does
   * not hold. Nothing was changed.
   */
  public static SharedFilterException refused(String message) {
    return new SharedFilterException(message, false, null);
  }

  /**
   * Returns an exception for a filter with a stripe that is too short: a "no" from it could be
   * wrong.
   */
  static SharedFilterException lost(String name) {
    return refused(
        ("a stripe of filter '%s' is missing or too short, and its keys are lost; "
                + "was it evicted or deleted? Set maxmemory-policy to noeviction, drop the "
                + "filter and build it again")
            .formatted(name));
  }

  /**
   * Returns whether the put, or any other change, may have happened. False if it did not happen,
   * and for queries.
   */
  public boolean mayHaveHappened() {
    return mayHaveHappened;
  }

  /** Returns this failure as that of a query, which changes nothing. */
  SharedFilterException ofQuestion() {
    return new SharedFilterException(getMessage(), false, this);
  }

  /** Returns this failure as that of a batch of which some keys were already put. */
  SharedFilterException ofBatch() {
    return new SharedFilterException(
        getMessage() + "; some keys of the batch were put; repeating it is safe", true, this);
  }

  /** Returns this failure with a message that says whether the change may have happened. */
  SharedFilterException ofChange(String what) {
    String outcome =
        mayHaveHappened
            ? what + " may have happened; repeating it is safe"
            : what + " did not happen";
    return new SharedFilterException(getMessage() + ": " + outcome, mayHaveHappened, this);
  }
}

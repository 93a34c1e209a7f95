package dev.bellows.redis;

import org.jspecify.annotations.Nullable;

/**
 * What a shared filter could not do: the server was not reached, did not answer, refused, or does
 * not hold the filter that was opened. {@link #mayHaveHappened} says whether a change may have
 * reached the server all the same. All changes may be repeated: a put is idempotent, and so are
 * foldings, unions and uploads that were interrupted.
 */
public final class SharedFilterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean mayHaveHappened;

  private SharedFilterException(
      String message, boolean mayHaveHappened, @Nullable Throwable cause) {
    super(message, cause);
    this.mayHaveHappened = mayHaveHappened;
  }

  /** Nothing was sent: there was no connection. */
  public static SharedFilterException notSent(String message, @Nullable Throwable cause) {
    return new SharedFilterException(message, false, cause);
  }

  /** Something was sent and no answer came: the server may have executed it. */
  public static SharedFilterException unanswered(String message, @Nullable Throwable cause) {
    return new SharedFilterException(message, true, cause);
  }

  /** The server refused it, or its content is not what was requested; nothing was changed. */
  public static SharedFilterException refused(String message) {
    return new SharedFilterException(message, false, null);
  }

  /** A stripe is not as long as it was made: a "no" from it would be wrong. */
  static SharedFilterException lost(String name) {
    return refused(
        ("a stripe of filter '%s' is missing or too short, and its keys are lost; "
                + "was it evicted or deleted? Set maxmemory-policy to noeviction, drop the "
                + "filter and build it again")
            .formatted(name));
  }

  /**
   * Returns whether the put, or any other change, may have happened. False if it certainly did not,
   * and for questions.
   */
  public boolean mayHaveHappened() {
    return mayHaveHappened;
  }

  /** The same failure of a question, which changes nothing. */
  SharedFilterException ofQuestion() {
    return new SharedFilterException(getMessage(), false, this);
  }

  /** The same failure of a batch of which some keys were put before. */
  SharedFilterException ofBatch() {
    return new SharedFilterException(
        getMessage() + "; some keys of the batch were put, repeating it is safe", true, this);
  }

  /** The same failure, with what happened to the change in words. */
  SharedFilterException ofChange(String what) {
    String outcome =
        mayHaveHappened
            ? what + " may have happened; repeating it is safe"
            : what + " did not happen";
    return new SharedFilterException(getMessage() + ": " + outcome, mayHaveHappened, this);
  }
}

package dev.bellows.internal.files;

import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.Mergeable;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The operations that a durable folder requires of a filter in addition to queries. The type is not
 * exported from this module, so no other filter can claim to be durable.
 *
 * @param <F> the class of the filter
 */
public interface DurableContent<F extends KeyFilter & Membership & Mergeable<F>> {
  /** The result of a put: the filter changed. */
  int CHANGED = 1;

  /** The result of a put: the key did not pass before the put. */
  int ABSENT = 2;

  /** Returns the filter itself. */
  F filter();

  /**
   * Returns the settings: the header of an empty file, from which {@code FilterFormat.empty}
   * creates a filter.
   */
  byte[] settings();

  /**
   * Creates an empty filter of this kind with other settings.
   *
   * @throws IOException if they are not the settings of a filter of this kind
   */
  F empty(byte[] settings, ReadOptions options) throws IOException;

  /** Returns an independent filter with the same settings and keys. */
  default F copy() {
    return filter().copy();
  }

  /**
   * Returns an independent filter with every key of this one and of another with the same settings.
   */
  default F union(F other) {
    return filter().union(other, 1);
  }

  /**
   * Returns whether a repeated put changes nothing and no key can be removed. Only then may an
   * image contain changes that are also in the journal.
   */
  default boolean isSet() {
    return true;
  }

  /**
   * Returns the number of leading bits such that puts of two hashes that differ in them commute:
   * the filter is bit for bit the same for either order of the two puts. 0 if the order always
   * matters; 64 if it never does. The number changes only in puts and when the filter is cleared.
   */
  int commutingBits();

  /**
   * Returns whether a put-if-absent leaves a key that passes as it is, instead of refreshing it so
   * that it expires later.
   */
  default boolean keepsFirst() {
    return true;
  }

  /** Returns whether the key passes, and putting it at this time would change nothing. */
  default boolean isKnown(long hash, long time) {
    return isSet() && filter().mightContainHash(hash);
  }

  /**
   * Puts a hash.
   *
   * @param time the time of the put, for kinds with a {@link #clock}; 0 for all others
   * @return a combination of the flags {@link #CHANGED} and {@link #ABSENT}, or 0
   * @throws IllegalArgumentException if the time is out of range
   */
  default int put(long hash, long time) {
    return result(filter().putHash(hash));
  }

  /** Returns the result of a put into a filter that changes iff the key was absent. */
  static int result(boolean isChanged) {
    return isChanged ? CHANGED | ABSENT : 0;
  }

  /**
   * Removes one put of a hash and returns whether the filter changed.
   *
   * @throws UnsupportedOperationException if keys of this kind cannot be removed
   */
  default boolean remove(long hash) {
    throw new UnsupportedOperationException("keys of this filter cannot be removed");
  }

  /** Returns the clock of a filter whose keys expire; null for all others. */
  default @Nullable Clock clock() {
    return null;
  }

  /**
   * The clock of a filter whose keys expire, in milliseconds. The filter changes only when the
   * clock enters another generation, so the journal records generations only.
   */
  interface Clock {
    /** Returns the time; throws if it was never set. */
    long now();

    /** Returns the time; throws if it is too far from 1970. */
    long checked(long millis);

    /**
     * Returns whether a put at this time is accepted. A late put is counted or rejected, depending
     * on how the filter was built.
     *
     * @throws IllegalArgumentException if the put is rejected
     */
    boolean accepts(long millis);

    /** Returns whether this time is in a generation that the clock has not entered yet. */
    boolean isNext(long millis);

    /** Returns whether advancing to this time empties the filter. */
    boolean empties(long millis);

    /**
     * Enters the generation of a time, unless the clock has already reached it.
     *
     * @param empties whether all keys expire as a result
     */
    void enter(long millis, boolean empties);

    /** Advances to a time within a generation that was already entered. */
    void tick(long millis);

    /** Releases some of the memory of expired keys. */
    void sweep();

    /** Returns a time that represents all times of the generation of this one. */
    long ofGeneration(long millis);
  }

  /** Removes every key. */
  void clear();

  /** Returns the approximate number of bytes of an image. */
  default long imageBytes() {
    return filter().sizeInBytes();
  }

  /**
   * Returns the content for a snapshot. Called while no thread changes the filter, so this method
   * must be fast: expensive work is done when the image is written, while puts continue. The image
   * of a {@linkplain #isSet set} may include some of these puts.
   */
  default Image image() {
    return filter()::writeTo;
  }

  /** The content of a filter, to be written once. */
  @FunctionalInterface
  interface Image {
    /** Writes the whole image. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Reads an image, which is untrusted input, of a filter with the settings of this one.
   *
   * @return another filter with that content
   */
  F read(InputStream in, ReadOptions options) throws IOException;
}

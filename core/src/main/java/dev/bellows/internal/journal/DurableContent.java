package dev.bellows.internal.journal;

import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a durable folder requires of a filter beyond puts and queries. Only classes of this module
 * can name this type, so that no other filter can claim to be durable.
 *
 * @param <F> the class of the filter
 */
public interface DurableContent<F> {
  /** The result of a put: the filter changed. */
  int CHANGED = 1;

  /** The result of a put: the key did not pass before. */
  int ABSENT = 2;

  /** Its settings: the header of its file, with which {@code FilterFormat.empty} makes another. */
  byte[] settings();

  /** An independent filter with the same settings and keys. */
  F copy();

  /** An independent filter that has every key of this one and of another with its settings. */
  F union(F other);

  /**
   * Whether a put that is repeated changes nothing, and no key can be removed. Only then may an
   * image contain changes that are also in the journal.
   */
  boolean isSet();

  /**
   * How many first bits of two hashes decide that their puts commute: where these bits differ, the
   * filter is the same, bit for bit, in whatever order the two are put. 0 if order always matters;
   * 64 if it never does. It changes only while this filter is put into or cleared.
   */
  int commutingBits();

  /**
   * Whether putting a key if it is absent leaves a key that passes as it is. Otherwise that put
   * makes it expire later.
   */
  default boolean keepsFirst() {
    return true;
  }

  /** Whether the key passes, and putting it at this time would change nothing. */
  boolean isKnown(long hash, long time);

  /**
   * Puts a hash.
   *
   * @param time when the key was seen, for kinds with a {@link #clock}; 0 for all others
   * @return {@link #CHANGED} and {@link #ABSENT}, or 0
   * @throws IllegalArgumentException if the time is impossible
   */
  int put(long hash, long time);

  /** The result of a put into a filter in which a change and an absent key are the same. */
  static int result(boolean isChanged) {
    return isChanged ? CHANGED | ABSENT : 0;
  }

  /**
   * Removes one put of a hash; true iff the filter changed.
   *
   * @throws UnsupportedOperationException if keys of this kind cannot be removed
   */
  default boolean remove(long hash) {
    throw new UnsupportedOperationException("keys of this filter cannot be removed");
  }

  /** The clock of a filter whose keys expire; null for all others. */
  default @Nullable Clock clock() {
    return null;
  }

  /**
   * The clock of a filter whose keys expire, in milliseconds. It runs through generations: only
   * when it enters another one does the filter change, so that a journal knows generations alone.
   */
  interface Clock {
    /** The time; refuses if it was never set. */
    long now();

    /** Whether it was never set. */
    boolean isUnset();

    /** Refuses times that lie too far from 1970. */
    long checked(long millis);

    /**
     * Whether a put at this time is accepted; if it is late, it is refused or counted, as the
     * filter was built.
     *
     * @throws IllegalArgumentException if it is refused
     */
    boolean accepts(long millis);

    /** Whether this time is in a generation that the clock has not entered. */
    boolean isNext(long millis);

    /** Whether going on to this time empties the filter. */
    boolean empties(long millis);

    /**
     * Enters the generation of a time, unless it is there or further already.
     *
     * @param empties whether all keys expire by that
     */
    void enter(long millis, boolean empties);

    /** Goes on to a time inside a generation that was entered before. */
    void tick(long millis);

    /** Gives back some of what has expired. */
    void sweep();

    /** A time that stands for all times of a generation. */
    long ofGeneration(long millis);
  }

  /** Removes every key. */
  void clear();

  /** About how many bytes an image has. */
  long imageBytes();

  /**
   * The content for a snapshot. Called while no thread changes the filter, and short: what takes
   * long is done when the image is written, while puts go on. The image of a {@linkplain #isSet
   * set} may contain some of those.
   */
  Image image();

  /** The content of a filter, to be written once. */
  @FunctionalInterface
  interface Image {
    /** Writes all of it. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Reads an image, which is untrusted, of a filter with the settings of this one.
   *
   * @return another filter, with that content
   */
  F read(InputStream in, ReadOptions options) throws IOException;
}

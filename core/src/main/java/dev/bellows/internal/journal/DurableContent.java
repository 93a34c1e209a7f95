package dev.bellows.internal.journal;

import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * What a durable folder asks of a filter beyond puts and queries. Only classes of this module can
 * name this type, so that no other filter can claim to be durable.
 *
 * @param <F> the class of the filter
 */
public interface DurableContent<F> {
  /** Its settings: the header of its file, with which {@code FilterFormat.empty} makes another. */
  byte[] settings();

  /** An independent filter with the same settings and keys. */
  F copy();

  /** An independent filter that has every key of this one and of another with its settings. */
  F union(F other);

  /**
   * Whether a put that is repeated changes nothing, and no key can be removed. Only then may an
   * image contain changes of which the journal tells again.
   */
  boolean isSet();

  /**
   * How many first bits of two hashes decide that their puts commute: where these bits differ, the
   * filter is the same, bit for bit, in whatever order the two are put. 0 if order always matters;
   * 64 if it never does. It changes only while this filter is put into or cleared.
   */
  int commutingBits();

  /**
   * Puts a hash; true iff the filter changed.
   *
   * @param time when the key was seen, for kinds whose keys expire; 0 for all others
   */
  boolean put(long hash, long time);

  /** Removes one put of a hash; true iff the filter changed. */
  boolean remove(long hash);

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

package dev.bellows.internal.bits;

import java.io.IOException;

/** Receives words in chunks. */
@FunctionalInterface
public interface WordSink {
  /** Receives the first words of an array, which the caller reuses. */
  void accept(long[] words, int length) throws IOException;
}

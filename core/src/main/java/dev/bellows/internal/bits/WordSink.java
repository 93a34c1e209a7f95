package dev.bellows.internal.bits;

import java.io.IOException;

/** Receives words in chunks. */
@FunctionalInterface
public interface WordSink {
  /** Receives words of an array, which the caller reuses and the sink must not change. */
  void accept(long[] words, int from, int length) throws IOException;
}

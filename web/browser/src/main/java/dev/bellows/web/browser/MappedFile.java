package dev.bellows.web.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Replaces mapped files, which a page does not have: nothing can be opened. */
public final class MappedFile {
  private MappedFile() {}

  /** Throws: a page has no files to map. */
  public static MappedFile open(Path path) throws IOException {
    throw new IOException("a page has no files to map: " + path);
  }

  /** Never called. */
  public long length() {
    return 0;
  }

  /** Never called. */
  public InputStream input(long position) {
    return InputStream.nullInputStream();
  }

  /** Never called. */
  public MappedWords map(long start, long bits, ByteOrder order) {
    return new MappedWords();
  }

  /** Never called. */
  public boolean isStale() {
    return false;
  }

  /** Never called. */
  public void requireNotCut(long position) {}

  /** Never called. */
  public void reportFault() {}

  /** Never called. */
  public void requireWhole() {}

  /** Never called. */
  public void requireOpen() {}

  /** Never called. */
  public boolean isClosed() {
    return true;
  }

  /** Never called. */
  public UncheckedIOException truncated(InternalError fault) {
    return new UncheckedIOException(new IOException(fault));
  }

  /** Never called. */
  public UncheckedIOException broken(long offset, String what) {
    return new UncheckedIOException(new IOException(what));
  }

  /** Never called. */
  public void close() {}
}

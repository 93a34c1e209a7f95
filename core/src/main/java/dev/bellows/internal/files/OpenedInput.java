package dev.bellows.internal.files;

import java.io.InputStream;

/** A stream that stands for an opened reader. */
final class OpenedInput extends InputStream {
  private final FilterReader reader;

  OpenedInput(FilterReader reader) {
    this.reader = reader;
  }

  FilterReader reader() {
    return reader;
  }

  @Override
  public int read() {
    throw new UnsupportedOperationException("an opened filter is read by its kind");
  }

  @Override
  public int read(byte[] into, int at, int length) {
    throw new UnsupportedOperationException("an opened filter is read by its kind");
  }
}

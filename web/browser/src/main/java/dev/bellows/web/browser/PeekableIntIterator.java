package dev.bellows.web.browser;

/** Ids of a bitmap that does not exist. */
public final class PeekableIntIterator {
  PeekableIntIterator() {}

  /** Never called. */
  public boolean hasNext() {
    return false;
  }

  /** Never called. */
  public int next() {
    return 0;
  }
}

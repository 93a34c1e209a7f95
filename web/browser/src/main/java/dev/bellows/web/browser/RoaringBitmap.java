package dev.bellows.web.browser;

/** Says that the optional RoaringBitmap is absent: exact leaves are sorted arrays then. */
public final class RoaringBitmap {
  private RoaringBitmap() {}

  /** Refuses, as a missing class does. */
  public static RoaringBitmap bitmapOf(int... ids) {
    throw new NoClassDefFoundError("RoaringBitmap");
  }

  /** Never called. */
  public boolean contains(int id) {
    return false;
  }

  /** Never called. */
  public boolean checkedAdd(int id) {
    return false;
  }

  /** Never called. */
  public boolean checkedRemove(int id) {
    return false;
  }

  /** Never called. */
  @Override
  public RoaringBitmap clone() {
    return this;
  }

  /** Never called. */
  public PeekableIntIterator getIntIterator() {
    return new PeekableIntIterator();
  }
}

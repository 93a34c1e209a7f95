package dev.bellows.web.browser;

/** Behaves as if the optional RoaringBitmap were absent, so that exact leaves are sorted arrays. */
public final class RoaringBitmap {
  private RoaringBitmap() {}

  /** Throws, as if the class were missing. */
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

package dev.bellows.web.browser;

import org.jspecify.annotations.Nullable;

/** What takes the place of {@link java.util.concurrent.atomic.AtomicReferenceArray}. */
public final class AtomicReferenceArray<E> {
  private final @Nullable Object[] elements;

  /** An array of nulls. */
  public AtomicReferenceArray(int length) {
    this.elements = new Object[length];
  }

  /** The number of elements. */
  public int length() {
    return elements.length;
  }

  /** An element. */
  @SuppressWarnings("unchecked")
  public @Nullable E get(int index) {
    return (E) elements[index];
  }

  /** Changes an element that has the expected value. */
  public boolean compareAndSet(int index, @Nullable E expected, E value) {
    boolean equal = elements[index] == expected;
    elements[index] = equal ? value : elements[index];
    return equal;
  }
}

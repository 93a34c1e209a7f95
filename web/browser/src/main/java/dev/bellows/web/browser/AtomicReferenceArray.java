package dev.bellows.web.browser;

import org.jspecify.annotations.Nullable;

/** Replaces {@link java.util.concurrent.atomic.AtomicReferenceArray}. */
public final class AtomicReferenceArray<E> {
  private final @Nullable Object[] elements;

  /** Creates an array of nulls. */
  public AtomicReferenceArray(int length) {
    this.elements = new Object[length];
  }

  /** Returns the number of elements. */
  public int length() {
    return elements.length;
  }

  /** Returns an element. */
  @SuppressWarnings("unchecked")
  public @Nullable E get(int index) {
    return (E) elements[index];
  }

  /** Sets an element if it has the expected value. */
  public boolean compareAndSet(int index, @Nullable E expected, E value) {
    boolean equal = elements[index] == expected;
    elements[index] = equal ? value : elements[index];
    return equal;
  }
}

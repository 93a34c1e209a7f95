package dev.bellows.web.browser;

import java.nio.ByteOrder;

/** Replaces {@link java.lang.invoke.MethodHandles}. */
public final class MethodHandles {
  private MethodHandles() {}

  /** Returns access to fields. */
  public static Lookup lookup() {
    return new Lookup();
  }

  /** Replaces {@link java.lang.invoke.MethodHandles.Lookup}. */
  public static final class Lookup {
    /** Access to a field, which only puts need. */
    public VarHandle findVarHandle(Class<?> type, String name, Class<?> field)
        throws ReflectiveOperationException {
      return new VarHandle();
    }
  }

  /** Access to the elements of an array. */
  public static VarHandle arrayElementVarHandle(Class<?> type) {
    return new VarHandle();
  }

  /** Access to numbers in bytes; all callers read longs, little-endian. */
  public static VarHandle byteArrayViewVarHandle(Class<?> type, ByteOrder order) {
    return new VarHandle();
  }
}

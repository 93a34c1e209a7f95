package dev.bellows.internal.bits;

/**
 * The fault of a read past the end of a mapped file. The JVM records it and throws the
 * InternalError some time later, on Java 17 even after the thread has left this library. It always
 * throws it when native code calls back into Java. When a file is found to be truncated, this class
 * causes such a call: it requests a nonexistent class from a class loader written in Java.
 */
final class PendingFault {
  private static final ClassLoader LOADER =
      new ClassLoader(null) {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
          throw new ClassNotFoundException(name);
        }
      };

  private PendingFault() {}

  /** Throws the InternalError of an earlier read of this thread, if there is one. */
  static void deliver() {
    try {
      Class.forName("none", false, LOADER);
    } catch (ClassNotFoundException e) {
      // no fault
    }
  }
}

package dev.bellows.web.browser;

import java.util.List;
import org.teavm.extension.spi.substitution.SimpleSubstitutionPolicy;
import org.teavm.extension.spi.substitution.SubstitutionSink;

/**
 * Tells the compiler to JavaScript which classes this package replaces: those that a browser lacks
 * or that only make sense with several threads. Filters, readers and formulas are compiled
 * unchanged.
 */
public final class Substitution extends SimpleSubstitutionPolicy {
  private static final List<String> REPLACED =
      List.of(
          "dev.bellows.internal.base.Precise",
          "dev.bellows.internal.bits.MappedFile",
          "dev.bellows.internal.bits.MappedWords",
          "dev.bellows.internal.prefixes.PrefixLock",
          "java.io.ByteArrayInputStream",
          "java.lang.invoke.VarHandle",
          "java.lang.invoke.MethodHandles",
          "java.lang.invoke.MethodHandles$Lookup",
          "java.util.concurrent.locks.LockSupport",
          "java.util.concurrent.locks.ReentrantLock",
          "java.util.zip.CRC32C",
          "java.util.concurrent.atomic.LongAdder",
          "java.util.concurrent.atomic.AtomicReferenceArray",
          "com.dynatrace.hash4j.internal.ByteArrayUtil",
          "com.dynatrace.hash4j.internal.UnsignedMultiplyUtil",
          "org.roaringbitmap.RoaringBitmap",
          "org.roaringbitmap.PeekableIntIterator");

  @Override
  public void contribute(SubstitutionSink sink) {
    for (String name : REPLACED) {
      sink.selectClasses(named(name))
          .replacePackage(name.substring(0, name.lastIndexOf('.')), "dev.bellows.web.browser");
    }
  }
}

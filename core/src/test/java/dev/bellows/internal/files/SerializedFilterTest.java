package dev.bellows.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.io.FilterFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

/**
 * A serialized stream may name any class, but only the format of a filter class reads its bytes.
 */
class SerializedFilterTest {
  private static boolean wasInitialized;

  /** Has a format, and is not a filter. */
  public static final class Stranger {
    public static final FilterFormat<BloomFilter> FORMAT = BloomFilter.FORMAT;

    static {
      wasInitialized = true;
    }
  }

  /** A filter that cannot be read. */
  public abstract static class Formatless implements Filter {}

  /** A filter whose format reads filters of another class. */
  public abstract static class Borrower implements Filter {
    public static final FilterFormat<BloomFilter> FORMAT = BloomFilter.FORMAT;
  }

  @Test
  void theClassOfTheFilterReadsItsBytes() throws Exception {
    assertThat(readAs(BloomFilter.class)).isEqualTo(filter());
  }

  @Test
  void aClassThatIsNotAFilterIsRefusedAndNotInitialized() {
    assertRefused(Stranger.class, "not a class of filters");
    assertRefused(String.class, "not a class of filters");
    assertRefused(null, "not a class of filters");
    assertThat(wasInitialized).isFalse();
  }

  @Test
  void aFilterWithoutAFormatOfItsOwnIsRefused() {
    assertRefused(Filter.class, "no format");
    assertRefused(Formatless.class, "no format");
    assertRefused(Borrower.class, "format of another one");
  }

  @Test
  void theBytesOfAnotherClassAreRefused() {
    assertRefused(CountingBloomFilter.class, "bloom");
  }

  private static void assertRefused(Class<?> type, String why) {
    assertThatThrownBy(() -> readAs(type))
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining(why);
  }

  private static BloomFilter filter() {
    BloomFilter filter = BloomFilter.create(100, 0.01);
    filter.put("key");
    return filter;
  }

  /** Reads a stream with the bytes of a plain filter that names this class. */
  private static Object readAs(Class<?> type) throws Exception {
    SerializedFilter form = new SerializedFilter(filter());
    Field named = SerializedFilter.class.getDeclaredField("type");
    named.setAccessible(true);
    named.set(form, type);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(form);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}

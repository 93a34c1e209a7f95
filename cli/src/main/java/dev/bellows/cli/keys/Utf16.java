package dev.bellows.cli.keys;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells text in UTF-16 that has no byte order mark from its first bytes. Bytes without a zero are
 * never taken for it: it needs a line end in UTF-16, which has one.
 */
final class Utf16 {
  private Utf16() {}

  /** The form of UTF-16 that the text is in; null if it is something else. */
  static @Nullable Charset of(byte[] bytes) {
    int even = bytes.length & ~1;
    for (Charset form : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      CharSequence text = decoded(bytes, even, form);
      if (text != null && isLines(text)) {
        return form;
      }
    }
    return null;
  }

  /** The text of the bytes, whose last character may be cut; null if they are malformed. */
  private static @Nullable CharSequence decoded(byte[] bytes, int length, Charset form) {
    CharBuffer text = CharBuffer.allocate(length);
    CoderResult result = form.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length), text, false);
    return result.isError() ? null : text.flip();
  }

  /** Whether it has a line end, and only characters that lines of text have. */
  private static boolean isLines(CharSequence text) {
    return text.chars().anyMatch(c -> c == '\n')
        && text.codePoints()
            .allMatch(
                c ->
                    c == '\n'
                        || c == '\r'
                        || c == '\t'
                        || Character.isDefined(c) && !Character.isISOControl(c));
  }
}

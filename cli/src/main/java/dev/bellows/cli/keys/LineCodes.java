package dev.bellows.cli.keys;

import java.io.IOException;

/** Turns groups of lines into groups of codes. */
public final class LineCodes {
  private final KeyCode code;
  private final boolean longs;
  private long[] codes = {};

  public LineCodes(KeyCode code, boolean longs) {
    this.code = code;
    this.longs = longs;
  }

  /**
   * Passes the codes of the lines.
   *
   * @throws RefusedKey if a line writes no key, after the codes of those before it were passed
   */
  public void pass(Lines lines, CodeGroup group) throws IOException {
    if (codes.length < lines.count()) {
      codes = new long[Math.max(lines.count(), 2 * codes.length)];
    }
    if (longs) {
      passLongs(lines, group);
    } else {
      byte[] buffer = lines.buffer();
      for (int i = 0; i < lines.count(); i++) {
        codes[i] = code.of(buffer, lines.from(i), lines.length(i));
      }
      group.accept(codes, lines.count());
    }
  }

  private void passLongs(Lines lines, CodeGroup group) throws IOException {
    RefusedKey refusal = null;
    int count = 0;
    while (count < lines.count() && refusal == null) {
      try {
        codes[count] = code.of(Longs.parse(lines.buffer(), lines.from(count), lines.to(count)));
        count++;
      } catch (NumberFormatException e) {
        refusal = new RefusedKey(count, e);
      }
    }
    group.accept(codes, count);
    if (refusal != null) {
      throw refusal;
    }
  }
}

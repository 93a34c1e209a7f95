package dev.bellows.cli.keys;

import dev.bellows.internal.base.Prose;
import java.nio.charset.StandardCharsets;

/** Decimal longs out of a buffer, without a String. */
public final class Longs {
  private Longs() {}

  /**
   * The long that the bytes write in decimal; spaces around it do not count.
   *
   * @throws NumberFormatException if they write something else
   */
  public static long parse(byte[] buffer, int from, int to) {
    int first = from;
    int end = to;
    while (first < end && buffer[first] == ' ') {
      first++;
    }
    while (end > first && buffer[end - 1] == ' ') {
      end--;
    }
    int i = first;
    boolean negative = i < end && buffer[i] == '-';
    if (negative || (i < end && buffer[i] == '+')) {
      i++;
    }
    if (i == end) {
      throw refused(buffer, from, to);
    }
    // negative numbers reach one further than positive ones, so the sum is kept below zero
    long limit = negative ? Long.MIN_VALUE : -Long.MAX_VALUE;
    long sum = 0;
    for (; i < end; i++) {
      int digit = buffer[i] - '0';
      if (digit < 0 || digit > 9 || sum < limit / 10 || sum * 10 < limit + digit) {
        throw refused(buffer, from, to);
      }
      sum = sum * 10 - digit;
    }
    return negative ? sum : -sum;
  }

  private static NumberFormatException refused(byte[] buffer, int from, int to) {
    String text = new String(buffer, from, Math.min(to - from, 200), StandardCharsets.UTF_8);
    return new NumberFormatException(
        Prose.quote(text)
            + " is not a decimal long (keys are read as longs where the filter's file says so, or"
            + " with --longs or --key-type long)");
  }
}

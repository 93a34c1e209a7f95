package dev.bellows.internal;

import java.util.Locale;

/** Numbers as the pages of {@code explain()} say them. */
public final class Prose {
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

  private Prose() {}

  /** Formats the same way everywhere. */
  public static String page(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A rate as a person says it: a percentage, and "1 in n" where that is clearer. */
  public static String rate(double rate) {
    if (rate == 0) {
      return "none";
    }
    if (rate < 1e-9) {
      return page("%.3g", rate);
    }
    return rate < 0.1
        ? page("%.4g %% (1 in %,.0f)", 100 * rate, 1 / rate)
        : page("%.4g %%", 100 * rate);
  }

  /** A size in bytes with a binary unit. */
  public static String bytes(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " bytes" : page("%.1f %s", size, UNITS[unit]);
  }
}

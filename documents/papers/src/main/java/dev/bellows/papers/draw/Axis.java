package dev.bellows.papers.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One axis of a chart.
 *
 * @param label what it measures
 * @param logarithmic whether equal ratios are equally far apart
 * @param from the least value shown; NaN to take it from the data
 * @param to the greatest value shown; NaN to take it from the data
 */
public record Axis(String label, boolean logarithmic, double from, double to) {
  private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  /** Equal steps are equally far apart. */
  public static Axis linear(String label) {
    return new Axis(label, false, Double.NaN, Double.NaN);
  }

  /** Equal ratios are equally far apart. */
  public static Axis log(String label) {
    return new Axis(label, true, Double.NaN, Double.NaN);
  }

  /** The same axis with fixed ends. */
  public Axis between(double least, double greatest) {
    return new Axis(label, logarithmic, least, greatest);
  }

  /** Ends that contain the data, widened to round values unless they are fixed. */
  Axis fitted(double least, double greatest) {
    double low = Double.isNaN(from) ? least : from;
    double high = Double.isNaN(to) ? greatest : to;
    if (!(low < high)) {
      high = logarithmic ? low * 10 : low + 1;
    }
    if (logarithmic) {
      low = Double.isNaN(from) ? Math.pow(10, Math.floor(Math.log10(low) + 1e-9)) : low;
      high = Double.isNaN(to) ? Math.pow(10, Math.ceil(Math.log10(high) - 1e-9)) : high;
    } else {
      double step = step(high - low);
      low = Double.isNaN(from) ? Math.floor(low / step + 1e-9) * step : low;
      high = Double.isNaN(to) ? Math.ceil(high / step - 1e-9) * step : high;
    }
    return new Axis(label, logarithmic, low, high);
  }

  /** Where a value lies: 0 at the beginning, 1 at the end. */
  double place(double value) {
    return logarithmic
        ? Math.log(value / from) / Math.log(to / from)
        : (value - from) / (to - from);
  }

  boolean shows(double value) {
    double place = place(value);
    return place >= -1e-9 && place <= 1 + 1e-9;
  }

  /** Returns the values that get a label. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (!logarithmic) {
      double step = step(to - from);
      for (double i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++) {
        ticks.add(i * step);
      }
      return ticks;
    }
    double decades = Math.log10(to / from);
    int every = Math.max(1, (int) Math.ceil(decades / 8));
    for (int e = (int) Math.floor(Math.log10(from)); e <= Math.log10(to) + 1e-9; e++) {
      double[] parts = decades <= 2 ? new double[] {1, 2, 5} : new double[] {1};
      for (double part : parts) {
        double value = part * Math.pow(10, e);
        if (e % every == 0 && shows(value)) {
          ticks.add(value);
        }
      }
    }
    return ticks;
  }

  /** Returns a tick's label. */
  String label(double tick) {
    double size = Math.abs(tick);
    if (logarithmic && (size >= 1e5 || size < 1e-2)) {
      int exponent = (int) Math.floor(Math.log10(size) + 1e-9);
      double part = size / Math.pow(10, exponent);
      String power = "10" + superscript(exponent);
      return Math.abs(part - 1) < 1e-6 ? power : plain(part) + "·" + power;
    }
    return plain(tick);
  }

  private static String plain(double value) {
    if (Math.abs(value) < 1e-12) {
      return "0";
    }
    String text = String.format(Locale.ROOT, Math.abs(value) >= 1000 ? "%,.0f" : "%.6f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }

  private static String superscript(int exponent) {
    StringBuilder out = new StringBuilder(exponent < 0 ? "⁻" : "");
    for (char digit : Integer.toString(Math.abs(exponent)).toCharArray()) {
      out.append(SUPERSCRIPTS.charAt(digit - '0'));
    }
    return out.toString();
  }

  private static double step(double span) {
    double raw = span / 7;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double part = raw / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  }
}

package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.Layout;
import dev.bellows.internal.math.BinomialInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The README's picture: one filter folded along its whole ladder, the rate predicted and the rate
 * measured. The committed file must be what this draws; {@code -Dbellows.picture.write} draws it.
 */
class ReadmePictureTest {
  private static final int KEYS = 5000;
  private static final int ABSENT_KEYS = 500_000;
  private static final double LEFT = 70;
  private static final double RIGHT = 700;
  private static final double TOP = 50;
  private static final double BOTTOM = 340;
  private static final double MIN_BITS = 8_000;
  private static final double MAX_BITS = 200_000;
  private static final double MIN_RATE = 1e-5;

  @Test
  void theCommittedPictureIsTheOneThisLibraryDraws() throws IOException {
    String drawn = draw();
    Path picture = Cli.ROOT.resolve("docs/pictures/ladder.svg");
    if (System.getProperty("bellows.picture.write") != null) {
      Files.createDirectories(picture.getParent());
      Files.writeString(picture, drawn);
    }
    assertThat(Files.readString(picture)).isEqualTo(drawn);
  }

  private static String draw() {
    BloomFilter filter =
        BloomFilter.builder().capacity(720_720).fpp(0.01).layout(Layout.Family.CLASSIC).build();
    for (long key = 0; key < KEYS; key++) {
      filter.put(key);
    }
    StringBuilder line = new StringBuilder();
    StringBuilder dots = new StringBuilder();
    for (FoldSize size : filter.ladder()) {
      if (size.bits() < MIN_BITS || size.expectedFpp() < MIN_RATE) {
        continue;
      }
      line.append(line.isEmpty() ? "M" : " L");
      line.append(format("%.1f %.1f", x(size.bits()), y(size.expectedFpp())));
      BloomFilter folded = filter.foldBy(size.factor());
      int passed = 0;
      for (long key = 1; key <= ABSENT_KEYS; key++) {
        passed += folded.mightContain(-key) ? 1 : 0;
      }
      if (passed < 5) {
        continue;
      }
      BinomialInterval interval = BinomialInterval.of(passed, ABSENT_KEYS, 0.05);
      double at = x(size.bits());
      dots.append(
          format(
              "<path class=\"m\" d=\"M%.1f %.1f V%.1f\"/><circle class=\"d\" cx=\"%.1f\""
                  + " cy=\"%.1f\" r=\"3\"/>\n",
              at, y(interval.low()), y(interval.high()), at, y((double) passed / ABSENT_KEYS)));
    }
    return HEAD
        + axes()
        + "<path class=\"p\" d=\""
        + line
        + "\"/>\n"
        + dots
        + legend()
        + "</svg>\n";
  }

  private static final String HEAD =
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 400" font-family="sans-serif" font-size="14" role="img">
      <title>False positive rate of one filter folded along its ladder, predicted and measured</title>
      <style>
      text { fill: #57606a } .g { stroke: #8c959f; stroke-opacity: .35; fill: none }
      .p { stroke: #0969da; stroke-width: 2; fill: none }
      .d { fill: #cf5b00 } .m { stroke: #cf5b00; stroke-width: 1.5; fill: none }
      @media (prefers-color-scheme: dark) { text { fill: #c9d1d9 } .p { stroke: #58a6ff } .d { fill: #ffa657 } .m { stroke: #ffa657 } }
      </style>
      """;

  private static String axes() {
    StringBuilder out = new StringBuilder();
    for (int exponent = -5; exponent <= 0; exponent++) {
      double at = y(Math.pow(10, exponent));
      out.append(format("<path class=\"g\" d=\"M%.1f %.1f H%.1f\"/>", LEFT, at, RIGHT));
      String label =
          switch (exponent) {
            case 0 -> "100 %";
            case -1 -> "10 %";
            case -2 -> "1 %";
            case -3 -> "0.1 %";
            default -> "1e" + exponent;
          };
      out.append(
          format(
              "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
              LEFT - 8, at + 5, label));
    }
    for (int bits : new int[] {10_000, 20_000, 50_000, 100_000, 200_000}) {
      out.append(format("<path class=\"g\" d=\"M%.1f %.1f V%.1f\"/>", x(bits), TOP, BOTTOM));
      out.append(
          format(
              "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%,d</text>\n",
              x(bits), BOTTOM + 20, bits));
    }
    return out
        + format(
            "<text x=\"%.1f\" y=\"385\" text-anchor=\"middle\">bits after folding a filter of"
                + " 720,720 (%,d keys, 7 hashes)</text>\n"
                + "<text x=\"%.1f\" y=\"28\">keys that are not in it, but pass</text>\n",
            (LEFT + RIGHT) / 2, KEYS, LEFT - 50);
  }

  private static String legend() {
    return format(
        "<path class=\"p\" d=\"M420 70 H455\"/><text x=\"463\" y=\"75\">predicted from one"
            + " look</text>\n"
            + "<circle class=\"d\" cx=\"437\" cy=\"94\" r=\"3\"/><path class=\"m\" d=\"M437 86"
            + " V102\"/><text x=\"463\" y=\"99\">measured, %,d keys</text>\n",
        ABSENT_KEYS);
  }

  private static double x(double bits) {
    return LEFT + (RIGHT - LEFT) * Math.log(bits / MIN_BITS) / Math.log(MAX_BITS / MIN_BITS);
  }

  private static double y(double rate) {
    double shown = Math.max(rate, MIN_RATE);
    return BOTTOM + (TOP - BOTTOM) * (1 - Math.log(shown) / Math.log(MIN_RATE));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}

package dev.bellows.bench;

import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import dev.bellows.papers.draw.Svg;
import java.util.List;

/** The times of all filters over keys: a row for each operation, a dot for each contender. */
final class Picture {
  private static final double WIDTH = 860;
  private static final double LEFT = 300;
  private static final double RIGHT = 830;
  private static final double ROW = 34;
  private static final double SIZE = 16;
  private static final double LEAST = 1;
  private static final double MOST = 1000;

  /** How a contender is drawn: ours are large; the second filter of one library is hollow. */
  private record Dot(Peer peer, double radius, String classes) {
    void draw(Svg svg, double x, double y) {
      svg.circle(x, y, radius, classes);
    }
  }

  private static final List<Dot> DOTS =
      List.of(
          new Dot(Peer.BLOCKED, 9, "f0"),
          new Dot(Peer.CLASSIC, 7.5, "hollow l0"),
          new Dot(Peer.GUAVA, 6.5, "f1"),
          new Dot(Peer.SPARK_V1, 5.5, "hollow l2"),
          new Dot(Peer.SPARK_V2, 6, "f2"),
          new Dot(Peer.DATASKETCHES, 6, "f3"),
          new Dot(Peer.FASTFILTER_BLOOM, 5.5, "hollow l4"),
          new Dot(Peer.FASTFILTER_BLOCKED, 6.5, "f4"),
          new Dot(Peer.PARQUET, 6, "f5"),
          new Dot(Peer.COMMONS, 5.5, "hollow l6"),
          new Dot(Peer.HADOOP, 6, "f6"));

  private Picture() {}

  /** Draws it. */
  static String of(Run run) {
    List<Operation> rows =
        Operations.all(false).stream()
            .filter(o -> o.role() == Role.LONGS || o.role().overObjects())
            .filter(o -> !run.scores(o.name()).isEmpty())
            .toList();
    List<Dot> dots =
        DOTS.stream()
            .filter(dot -> run.scores().stream().anyMatch(s -> s.peer() == dot.peer))
            .toList();
    double legend = legend(null, dots, 0);
    double top = 62 + legend;
    double bottom = top + ROW * rows.size() + 8;
    Svg svg = Svg.of(WIDTH, bottom + 60, "Nanoseconds per key, Bellows and its peers");
    svg.text(24, 32, "Nanoseconds per key, least seen; further left is faster", "start", 20, "");
    legend(svg, dots, 58);
    for (int decade = 0; decade <= 3; decade++) {
      for (int part : new int[] {1, 2, 5}) {
        double value = part * Math.pow(10, decade);
        if (value <= MOST) {
          svg.line(x(value), top, x(value), bottom, "grid");
          String label = String.format(java.util.Locale.ROOT, "%.0f", value);
          svg.text(x(value), bottom + 22, label, "middle", SIZE, "");
        }
      }
    }
    svg.centred((LEFT + RIGHT) / 2, bottom + 46, "nanoseconds, on a logarithmic scale", "soft");
    for (int i = 0; i < rows.size(); i++) {
      double y = top + ROW * (i + 0.5) + 4;
      svg.line(LEFT, y, RIGHT, y, "grid");
      svg.text(LEFT - 10, y + 5, title(rows.get(i)), "end", SIZE, "");
      for (int d = dots.size() - 1; d >= 0; d--) {
        Dot dot = dots.get(d);
        run.score(rows.get(i).name(), dot.peer)
            .ifPresent(score -> dot.draw(svg, x(score.sample().least()), y));
      }
    }
    return svg.toString();
  }

  private static String title(Operation operation) {
    return operation
        .title()
        .replace(" of 20 to 40 characters", "")
        .replace("longs, ", "")
        .replace(" at once", "");
  }

  private static double x(double nanos) {
    double share = Math.log(nanos / LEAST) / Math.log(MOST / LEAST);
    return LEFT + Math.min(1, Math.max(0, share)) * (RIGHT - LEFT);
  }

  private static double legend(
      @org.jspecify.annotations.Nullable Svg svg, List<Dot> dots, double top) {
    double at = 24;
    double line = top;
    for (Dot dot : dots) {
      double width = 34 + Svg.widthOf(dot.peer.label(), SIZE);
      if (at + width > RIGHT + 10) {
        at = 24;
        line += 26;
      }
      if (svg != null) {
        dot.draw(svg, at + 10, line);
        svg.text(at + 24, line + 5, dot.peer.label(), "start", SIZE, "");
      }
      at += width + 6;
    }
    return line - top + 18;
  }
}

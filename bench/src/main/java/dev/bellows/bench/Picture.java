package dev.bellows.bench;

import dev.bellows.bench.peers.Peer;
import dev.bellows.papers.draw.Svg;
import java.util.ArrayList;
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

  private static final List<Peer> PEERS =
      List.of(
          Peer.BLOCKED,
          Peer.CLASSIC,
          Peer.GUAVA,
          Peer.SPARK_V1,
          Peer.SPARK_V2,
          Peer.DATASKETCHES,
          Peer.FASTFILTER_BLOOM,
          Peer.FASTFILTER_BLOCKED,
          Peer.PARQUET,
          Peer.COMMONS,
          Peer.HADOOP);

  private Picture() {}

  /** Draws it. */
  static String of(Run run) {
    List<Operation> rows = new ArrayList<>();
    for (Operation operation : Operations.all(false)) {
      boolean keyed =
          operation.unit() == Operation.Unit.KEY
              && (operation.role().overObjects() || operation.role().name().equals("LONGS"));
      if (keyed && !run.scores(operation.name()).isEmpty()) {
        rows.add(operation);
      }
    }
    List<Peer> peers =
        PEERS.stream().filter(p -> run.scores().stream().anyMatch(s -> s.peer() == p)).toList();
    double legend = legend(null, peers, 0);
    double top = 62 + legend;
    double bottom = top + ROW * rows.size() + 8;
    Svg svg = Svg.of(WIDTH, bottom + 60, "Nanoseconds per key, Bellows and its peers");
    svg.text(24, 32, "Nanoseconds per key, least seen; further left is faster", "start", 20, "");
    legend(svg, peers, 58);
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
      for (int p = peers.size() - 1; p >= 0; p--) {
        Peer peer = peers.get(p);
        run.score(rows.get(i).name(), peer)
            .ifPresent(score -> dot(svg, x(score.sample().least()), y, peer));
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
      @org.jspecify.annotations.Nullable Svg svg, List<Peer> peers, double top) {
    double at = 24;
    double line = top;
    for (Peer peer : peers) {
      double width = 34 + Svg.widthOf(peer.label(), SIZE);
      if (at + width > RIGHT + 10) {
        at = 24;
        line += 26;
      }
      if (svg != null) {
        dot(svg, at + 10, line, peer);
        svg.text(at + 24, line + 5, peer.label(), "start", SIZE, "");
      }
      at += width + 6;
    }
    return line - top + 18;
  }

  /** Ours are the large ones; the second filter of one library is hollow. */
  private static void dot(Svg svg, double x, double y, Peer peer) {
    switch (peer) {
      case BLOCKED -> svg.circle(x, y, 9, "f0");
      case CLASSIC -> svg.circle(x, y, 7.5, "hollow l0");
      case GUAVA -> svg.circle(x, y, 6.5, "f1");
      case SPARK_V1 -> svg.circle(x, y, 5.5, "hollow l2");
      case SPARK_V2 -> svg.circle(x, y, 6, "f2");
      case DATASKETCHES -> svg.circle(x, y, 6, "f3");
      case FASTFILTER_BLOOM -> svg.circle(x, y, 5.5, "hollow l4");
      case FASTFILTER_BLOCKED -> svg.circle(x, y, 6.5, "f4");
      case PARQUET -> svg.circle(x, y, 6, "f5");
      case COMMONS -> svg.circle(x, y, 5.5, "hollow l6");
      default -> svg.circle(x, y, 6, "f6");
    }
  }
}

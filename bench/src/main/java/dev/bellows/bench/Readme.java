package dev.bellows.bench;

import dev.bellows.bench.operations.Mix;
import dev.bellows.bench.operations.PutLongs;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.List;
import java.util.Optional;

/** The benchmark table of the README: the operations that matter most, as median times. */
final class Readme {
  static final String BEGIN = "<!-- bench:begin -->";
  static final String END = "<!-- bench:end -->";

  private final Run run;
  private final ResultTable table =
      new ResultTable("median ns per key, 1 % false positives", "Bellows", "Guava", "best other");

  private Readme(Run run) {
    this.run = run;
  }

  /** Returns {@code text} with the lines between the markers replaced by those of {@code run}. */
  static String replaced(String text, Run run) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          "the markers " + BEGIN + " and " + END + " are missing or out of order");
    }
    return text.substring(0, begin + BEGIN.length()) + "\n" + lines(run) + text.substring(end);
  }

  /** Returns the lines that belong between the markers. */
  static String lines(Run run) {
    return new Readme(run).lines();
  }

  private String lines() {
    for (Mix mix : List.of(Mix.MISS, Mix.HALF, Mix.HIT)) {
      String operation = "query-long-" + mix.word();
      line("query long, 1 million keys, " + mix.phrase(), operation, operation);
    }
    line(
        "query long, 100 million keys, half hits, in batches",
        "1e8-batch-query-long",
        "1e8-query-long-half");
    line("load 1 million longs", "load-long", "load-long");
    line("put long, two threads", "threads-put-long", "threads-put-long");
    line("query text of 20 to 40 characters, half hits", "query-text", "query-text");
    StringBuilder out = new StringBuilder(table.markdown()).append('\n');
    out.append(run.date()).append(run.quick() ? ", quick run" : "").append(", ");
    out.append(String.join(", ", run.machine().values())).append(". ");
    bits(Peer.CLASSIC).ifPresent(b -> out.append("Bits per key: CLASSIC ").append(b));
    bits(Peer.BLOCKED).ifPresent(b -> out.append(", BLOCKED ").append(b).append(". "));
    out.append(
        "All operations, libraries and confidence intervals: [docs/bench](docs/bench/index.md)\n");
    return out.toString();
  }

  private Optional<String> bits(Peer peer) {
    return run.store(Role.LONGS, peer, PutLongs.KEYS).map(s -> RunPages.number(s.bitsPerKey()));
  }

  private void line(String what, String operation, String theirOperation) {
    Optional<Score> ours = run.score(operation, Peer.BLOCKED);
    Optional<Score> guava = run.score(theirOperation, Peer.GUAVA);
    if (ours.isEmpty() || guava.isEmpty()) {
      return;
    }
    Optional<Score> other = run.bestOther(theirOperation, Peer.GUAVA);
    table.row(
        what,
        median(ours.get()),
        median(guava.get()),
        other.map(s -> median(s) + " " + s.peer().label()).orElse(""));
  }

  private static String median(Score score) {
    return RunPages.number(score.sample().median());
  }
}

package dev.bellows.bench;

import dev.bellows.bench.operations.Mix;
import dev.bellows.bench.operations.PutLongs;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.List;
import java.util.Optional;

/** The lines of the README that a run writes: the few that matter most. */
final class Readme {
  static final String BEGIN = "<!-- bench:begin -->";
  static final String END = "<!-- bench:end -->";

  private final Run run;
  private final ResultTable table =
      new ResultTable(
          "ns per key at 1 %, least seen", "Bellows", "Guava", "best other", "Guava / Bellows");

  private Readme(Run run) {
    this.run = run;
  }

  /** The text with the lines between the marks replaced. */
  static String replaced(String text, Run run) {
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("no lines between " + BEGIN + " and " + END);
    }
    return text.substring(0, begin + BEGIN.length()) + "\n" + lines(run) + text.substring(end);
  }

  /** The lines. */
  static String lines(Run run) {
    return new Readme(run).lines();
  }

  private String lines() {
    for (Mix mix : List.of(Mix.MISS, Mix.HALF, Mix.HIT)) {
      String operation = "query-long-" + mix.word();
      line("query long, a million keys, " + mix.phrase(), operation, operation);
    }
    line(
        "query long, a hundred million, half hits, in batches",
        "1e8-batch-query-long",
        "1e8-query-long-half");
    line("load a million longs", "load-long", "load-long");
    line("put long, two threads", "threads-put-long", "threads-put-long");
    line("query text of 20 to 40 characters, half hits", "query-text", "query-text");
    StringBuilder out = new StringBuilder(table.markdown()).append('\n');
    out.append(run.date()).append(run.quick() ? ", a quick look" : "").append(", ");
    out.append(String.join(", ", run.machine().values())).append(". ");
    bits(Peer.CLASSIC).ifPresent(b -> out.append("Bits per key: CLASSIC ").append(b));
    bits(Peer.BLOCKED).ifPresent(b -> out.append(", BLOCKED ").append(b).append(". "));
    out.append("All operations, peers and intervals: [docs/bench](docs/bench/index.md)\n");
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
        least(ours.get()),
        least(guava.get()),
        other.map(s -> least(s) + " " + s.peer().label()).orElse(""),
        RunPages.number(guava.get().sample().ratioTo(ours.get().sample()).value()));
  }

  private static String least(Score score) {
    return RunPages.number(score.sample().least());
  }
}

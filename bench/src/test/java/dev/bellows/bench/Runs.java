package dev.bellows.bench;

import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Synthetic runs with figures that are easy to check. */
final class Runs {
  private Runs() {}

  /** Guava at 96 ns, fastfilter at 10, BLOCKED at 8 for queries; a copy four times a union. */
  static Run small() {
    return new Run(
        "2026-11-15",
        false,
        machine(),
        Map.of("Guava", "33"),
        List.of(
            score("query-long-half", Peer.BLOCKED, 8),
            score("query-long-half", Peer.GUAVA, 96),
            score("query-long-half", Peer.FASTFILTER_BLOOM, 20),
            score("query-long-half", Peer.FASTFILTER_BLOCKED, 6),
            score("query-text", Peer.BLOCKED, 50),
            score("query-text", Peer.GUAVA, 150),
            score("query-text", Peer.PARQUET, 95),
            score("query-text", Peer.HASH, 30),
            score("union", Peer.BLOCKED, 100),
            score("copy", Peer.MEMORY_COPY, 75)),
        List.of(
            new Store(Role.LONGS, Peer.BLOCKED, 1_000_000, 10_100_000, 9_700, 1_000_000),
            new Store(
                Role.LONGS, Peer.FASTFILTER_BLOCKED, 1_000_000, 11_000_000, 9_800, 1_000_000)));
  }

  /** Not in alphabetical order. */
  private static Map<String, String> machine() {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("processor", "a processor");
    machine.put("cores", "2 cores");
    return machine;
  }

  static Score score(String operation, Peer peer, double nanos) {
    List<List<Double>> forks = List.of(List.of(nanos, nanos), List.of(nanos));
    return new Score(operation, peer, peer == Peer.GUAVA ? 200.0 : 0.0, forks);
  }
}

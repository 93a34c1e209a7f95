package dev.bellows.bench;

import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run: everything that was measured, and where.
 *
 * @param date the day
 * @param quick whether it was a quick look
 * @param machine the processor, the cores, the JDK
 * @param versions the libraries
 * @param scores the times
 * @param stores the memory and the rates
 */
record Run(
    String date,
    boolean quick,
    Map<String, String> machine,
    Map<String, String> versions,
    List<Score> scores,
    List<Store> stores) {
  /** How the contender did. */
  Optional<Score> score(String operation, Peer peer) {
    return scores.stream()
        .filter(s -> s.operation().equals(operation) && s.peer() == peer)
        .findFirst();
  }

  /** All that took part. */
  List<Score> scores(String operation) {
    return scores.stream().filter(s -> s.operation().equals(operation)).toList();
  }

  /** The fastest filter of others in an operation, apart from some. */
  Optional<Score> bestOther(String operation, Peer... but) {
    return scores(operation).stream()
        .filter(s -> !s.peer().ours() && !s.peer().floor() && !List.of(but).contains(s.peer()))
        .min((a, b) -> Double.compare(a.sample().typical(), b.sample().typical()));
  }

  /** Its memory and its rate. */
  Optional<Store> store(Role role, Peer peer, long keys) {
    return stores.stream()
        .filter(s -> s.role() == role && s.peer() == peer && s.keys() == keys)
        .findFirst();
  }
}

package dev.bellows.bench;

import dev.bellows.bench.peers.BenchKeys;
import dev.bellows.bench.peers.Contender;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import dev.bellows.internal.math.BinomialInterval;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * The memory and the false positives of a contender.
 *
 * @param role what it is
 * @param peer the contender
 * @param keys the keys in it
 * @param bits the bits of its store
 * @param falsePositives the absent keys found
 * @param asked the number of absent keys queried; 0 if they do not determine a rate
 */
record Store(Role role, Peer peer, long keys, long bits, long falsePositives, long asked) {
  private static final double ALPHA = 0.05;

  /** Fills one and queries as many absent keys as it contains keys. */
  static Store measured(Peer peer, Role role, int keys) {
    Contender filter = peer.make(role, keys);
    LongPredicate mightContain;
    if (role.overLongs()) {
      filter.load(BenchKeys.longs(role == Role.RANGES ? 1 : keys));
      filter.loaded();
      mightContain = number -> filter.mightContain(BenchKeys.mix(number));
    } else {
      for (long i = 0; i < keys; i++) {
        filter.putObject(BenchKeys.object(role, i));
      }
      mightContain = number -> filter.mightContainObject(BenchKeys.object(role, number));
    }
    if (!role.hasRate() || peer.floor()) {
      return new Store(role, peer, keys, filter.bits(), 0, 0);
    }
    if (!mightContain.test(0)) {
      throw new IllegalStateException(peer.label() + " lost a key as " + role);
    }
    long found = 0;
    for (long i = keys; i < 2L * keys; i++) {
      found += mightContain.test(i) ? 1 : 0;
    }
    return new Store(role, peer, keys, filter.bits(), found, keys);
  }

  /** Returns the number of bits per key. */
  double bitsPerKey() {
    return (double) bits / keys;
  }

  /** Returns the measured rate; NaN where there is none. */
  double fpp() {
    return (double) falsePositives / asked;
  }

  /** The interval that contains the rate except with probability 5 %. */
  BinomialInterval interval() {
    return BinomialInterval.of(falsePositives, asked, ALPHA);
  }

  /** Returns the JSON object. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("role", role.name());
    fields.put("peer", peer.name());
    fields.put("keys", keys);
    fields.put("bits", bits);
    fields.put("bitsPerKey", bitsPerKey());
    fields.put("falsePositives", falsePositives);
    fields.put("asked", asked);
    fields.put("fpp", asked == 0 ? null : fpp());
    fields.put("fppLow", asked == 0 ? null : interval().low());
    fields.put("fppHigh", asked == 0 ? null : interval().high());
    return fields;
  }
}

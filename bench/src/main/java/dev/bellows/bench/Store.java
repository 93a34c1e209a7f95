package dev.bellows.bench;

import dev.bellows.bench.peers.KeyedFilter;
import dev.bellows.bench.peers.Keys;
import dev.bellows.bench.peers.LongsFilter;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import dev.bellows.internal.rates.BinomialInterval;

/**
 * What a contender's memory is, and how often it errs.
 *
 * @param role what it is
 * @param peer the contender
 * @param keys the keys in it
 * @param bits the bits of its store
 * @param falsePositives the absent keys found
 * @param asked of so many; none where absent keys do not tell a rate
 */
record Store(Role role, Peer peer, long keys, long bits, long falsePositives, long asked) {
  private static final double ALPHA = 0.05;

  /** Fills one and asks it for as many absent keys as it holds. */
  static Store measured(Peer peer, Role role, int keys) {
    if (role.overLongs()) {
      return measuredLongs(peer, role, keys);
    }
    return role.overObjects()
        ? measuredKeyed(peer, role, keys)
        : new Store(role, peer, keys, peer.whole(role, keys).bits(), 0, 0);
  }

  private static Store measuredLongs(Peer peer, Role role, int keys) {
    LongsFilter filter = peer.longs(role, keys);
    filter.load(Keys.longs(role == Role.RANGES ? 1 : keys));
    filter.loaded();
    long found = 0;
    if (rated(peer, role)) {
      require(filter.mightContain(Keys.mix(0)), peer, role);
      for (long i = keys; i < 2L * keys; i++) {
        found += filter.mightContain(Keys.mix(i)) ? 1 : 0;
      }
    }
    return new Store(role, peer, keys, filter.bits(), found, rated(peer, role) ? keys : 0);
  }

  private static Store measuredKeyed(Peer peer, Role role, int keys) {
    KeyedFilter<Object> filter = peer.keyed(role, keys);
    for (long i = 0; i < keys; i++) {
      filter.put(key(role, i));
    }
    long found = 0;
    if (rated(peer, role)) {
      require(filter.mightContain(key(role, 0)), peer, role);
      for (long i = keys; i < 2L * keys; i++) {
        found += filter.mightContain(key(role, i)) ? 1 : 0;
      }
    }
    return new Store(role, peer, keys, filter.bits(), found, rated(peer, role) ? keys : 0);
  }

  private static boolean rated(Peer peer, Role role) {
    return role.hasRate() && !peer.floor();
  }

  private static Object key(Role role, long number) {
    return role == Role.TEXTS ? Keys.text(number) : Keys.bytes(number);
  }

  private static void require(boolean found, Peer peer, Role role) {
    if (!found) {
      throw new IllegalStateException(peer.label() + " lost a key as " + role);
    }
  }

  /** Bits per key. */
  double bitsPerKey() {
    return (double) bits / keys;
  }

  /** The measured rate; NaN where there is none. */
  double fpp() {
    return asked == 0 ? Double.NaN : (double) falsePositives / asked;
  }

  /** Where the rate lies but for a chance of 5 %. */
  BinomialInterval interval() {
    return BinomialInterval.of(falsePositives, asked, ALPHA);
  }
}

package dev.bellows.papers.folding;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/** A sequence of keys that come and go; the oldest key goes first. */
final class KeyFlow {
  private static final int DAYS = 3;
  private static final int BURSTS = 8;

  private final String name;
  private final int mostKeys;
  private final BitSet comes = new BitSet();
  private int changes;
  private int keys;

  private KeyFlow(String name, int mostKeys) {
    this.name = name;
    this.mostKeys = mostKeys;
  }

  /** Returns its name in ids and tables. */
  String name() {
    return name;
  }

  /** Returns how many changes there are. */
  int changes() {
    return changes;
  }

  /** Returns whether a key comes with this change; else one goes. */
  boolean comes(int change) {
    return comes.get(change);
  }

  /** Returns the three flows, none of which ever has more keys than this. */
  static List<KeyFlow> all(int mostKeys) {
    return List.of(growth(mostKeys), bursts(mostKeys), days(mostKeys));
  }

  /** Keys come, none goes. */
  private static KeyFlow growth(int mostKeys) {
    KeyFlow flow = new KeyFlow("growth", mostKeys);
    flow.moveTo(mostKeys);
    return flow;
  }

  /** A fifth of the keys is always there; bursts of random size come and go. */
  private static KeyFlow bursts(int mostKeys) {
    SplittableRandom random = new SplittableRandom(16);
    int base = mostKeys / 5;
    KeyFlow flow = new KeyFlow("bursts", mostKeys);
    flow.moveTo(base);
    for (int i = 0; i < BURSTS; i++) {
      int peak = i == BURSTS / 2 ? mostKeys : random.nextInt(2 * base, mostKeys);
      flow.moveTo(peak);
      flow.moveTo(base + random.nextInt(base));
    }
    return flow;
  }

  /** A tenth of the keys at night, all of them at noon, and always some that come and go. */
  private static KeyFlow days(int mostKeys) {
    int perDay = 6 * mostKeys;
    KeyFlow flow = new KeyFlow("day-and-night", mostKeys);
    flow.moveTo(mostKeys / 10);
    for (int i = 0; i < DAYS * perDay; i++) {
      double noon = (1 - Math.cos(2 * Math.PI * i / perDay)) / 2;
      flow.toward((int) (mostKeys * (0.1 + 0.9 * noon)));
    }
    return flow;
  }

  private void moveTo(int target) {
    while (keys != target) {
      toward(target);
    }
  }

  /** One change: a key comes if there are fewer than the target, else one goes. */
  private void toward(int target) {
    boolean one = keys < Math.min(target, mostKeys);
    comes.set(changes++, one);
    keys += one ? 1 : -1;
  }
}

package dev.bellows.redis;

import dev.bellows.redis.Wire.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds levels of another filter to a growing one. Its keys are counted before its bits come: a
 * client that dies in between leaves a level that is taken for fuller than it is.
 */
final class LevelUnion {
  /** Levels during whose transfer the state changed are begun again, this often. */
  private static final int MOST_ATTEMPTS = 20;

  private final StateAccess access;

  LevelUnion(StateAccess access) {
    this.access = access;
  }

  /** ORs the bits of a level into a part; false if a state has changed. */
  @FunctionalInterface
  interface Source {
    boolean or(SharedState state, Part target);
  }

  /** Adds a level: to one of its size where its keys fit, otherwise as a further one. */
  void add(int index, long bits, long capacity, long keys, Source source) {
    Part target = null;
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      access.refresh();
      SharedState state = access.settle();
      if (state.isFolding()) {
        throw SharedFilterException.refused(
            "another client folds filter '%s' now: wait until it has ended".formatted(access.name));
      }
      if (target == null || !state.live().contains(target)) {
        target = roomFor(state, index, bits, keys);
      }
      if (target == null) {
        target = access.addLevel(state, index, bits, capacity, keys);
      }
      if (target != null && source.or(access.state(), target)) {
        return;
      }
    }
    throw SharedFilterException.refused(
        "filter '%s' changed its state %d times while a level was added: try again later"
            .formatted(access.name, MOST_ATTEMPTS));
  }

  private @Nullable Part roomFor(SharedState state, int index, long bits, long keys) {
    for (int level = 0; level < state.live().size(); level++) {
      Part part = state.live().get(level);
      if (part.index() == index && part.bits() == bits) {
        Command reserve =
            Command.run(
                Script.RESERVE,
                List.of(access.stateKey()),
                List.of(
                    Wire.bytes(state.version()),
                    Wire.bytes(SharedState.keysField(state.live(), level)),
                    Wire.decimal(keys),
                    Wire.decimal(part.capacity())));
        if (StateAccess.allDone(access.wire.change("the union", List.of(reserve)))) {
          return part;
        }
      }
    }
    return null;
  }
}

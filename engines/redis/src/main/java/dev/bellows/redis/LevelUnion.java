package dev.bellows.redis;

import dev.bellows.redis.Wire.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds levels of another filter to a growing one. Keys are counted before bits are transferred, so
 * a client that dies in between leaves a level that counts as fuller than it is.
 */
final class LevelUnion {
  /**
   * The maximum number of times that a level is transferred because the state changed during the
   * transfer.
   */
  private static final int MOST_ATTEMPTS = 20;

  private final StateAccess access;

  LevelUnion(StateAccess access) {
    this.access = access;
  }

  /** ORs the bits of a level into a part. Returns false if a state has changed. */
  @FunctionalInterface
  interface Source {
    boolean or(SharedState state, Part target);
  }

  /**
   * Adds a level: to one of the same size if its keys fit there, otherwise as an additional level.
   */
  void add(int index, long bits, long capacity, long keys, Source source) {
    Part target = null;
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      access.refresh();
      SharedState state = access.settle();
      if (state.isFolding()) {
        throw SharedFilterException.refused(
            "another client is folding filter '%s': wait until it has finished"
                .formatted(access.name));
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
        "the state of filter '%s' changed %d times while a level was being added: try again later"
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

package dev.bellows.redis;

import dev.bellows.HashScheme;
import dev.bellows.internal.layout.Shape;
import dev.bellows.plan.BloomPlan;
import dev.bellows.redis.SharedState.Change;
import dev.bellows.scalable.ScalablePlan;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates and opens filters.
 *
 * @param first the state of the requested filter while its first level is created
 */
record Creation(SharedState first) {
  /**
   * Returns the creation of a filter of fixed size. If {@code stripeBytes} is 0, the length of
   * stripes is chosen by the size.
   */
  static Creation of(String name, BloomPlan plan, HashScheme scheme, int stripeBytes) {
    return of(name, new Shape(plan.layout(), plan.bits(), scheme), null, stripeBytes);
  }

  /** Returns the creation of a filter that grows. */
  static Creation of(String name, ScalablePlan plan, HashScheme scheme) {
    return of(name, new Shape(plan.layout(), plan.initialBits(), scheme), plan, 0);
  }

  private static Creation of(
      String name, Shape shape, @Nullable ScalablePlan plan, int stripeBytes) {
    int stripe = stripeBytes > 0 ? stripeBytes : Part.stripeBytesFor(shape.bits(), shape.layout());
    Part part = new Part(0, 0, shape.bits(), stripe, plan == null ? 0 : plan.levelKeys(0));
    byte[] id = new byte[8];
    new SecureRandom().nextBytes(id); // so that two filters are never confused
    return new Creation(
        new SharedState(
            Keys.checkedName(name),
            HexFormat.of().formatHex(id),
            0,
            shape,
            plan,
            List.of(),
            Change.GROW,
            List.of(part.checked(shape.layout())),
            List.of(),
            1,
            0));
  }

  StateAccess create(RedisBits bits) {
    StateAccess access = StateAccess.create(new Wire(bits, first.name()), first);
    if (access == null) {
      throw SharedFilterException.refused(
          "filter '%s' already exists: open it, or drop it first".formatted(first.name()));
    }
    return access;
  }

  static StateAccess open(RedisBits bits, String name, @Nullable HashScheme scheme) {
    StateAccess access = StateAccess.open(new Wire(bits, Keys.checkedName(name)), name, scheme);
    if (access == null) {
      throw SharedFilterException.refused(
          "there is no filter '%s' on this server: create it first".formatted(name));
    }
    return access;
  }

  StateAccess openOrCreate(RedisBits bits) {
    Wire wire = new Wire(bits, first.name());
    HashScheme scheme = first.shape().scheme();
    StateAccess access = StateAccess.open(wire, first.name(), scheme);
    if (access == null) {
      access = StateAccess.create(wire, first);
    }
    if (access == null) { // another client was faster
      access = StateAccess.open(wire, first.name(), scheme);
    }
    if (access == null) {
      throw SharedFilterException.refused(
          "filter '%s' was dropped while it was being opened: try again".formatted(first.name()));
    }
    requireSame(access.state());
    return access;
  }

  /** Throws if the filter has another configuration. A folded filter is accepted. */
  private void requireSame(SharedState found) {
    boolean fits =
        Objects.equals(found.plan(), first.plan())
            && found.layout().equals(first.layout())
            && (found.isGrowing() || first.shape().bits() % found.shape().bits() == 0);
    if (!fits) {
      throw SharedFilterException.refused(
          "filter '%s' has another configuration: %s there and %s here"
              .formatted(first.name(), describe(found), describe(first)));
    }
  }

  private static String describe(SharedState state) {
    return state.isGrowing() ? state.plan() + ", " + state.shape().scheme() : "" + state.shape();
  }
}

package dev.bellows.redis;

import dev.bellows.HashScheme;
import dev.bellows.redis.SharedState.Change;
import dev.bellows.redis.Wire.Command;
import dev.bellows.scalable.ScalablePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of one filter as this client knows it, and the changes that any client may make or
 * complete: a new level, the end of a folding whose client has died, the removal of dead stripes.
 */
final class StateAccess {
  /** How long a folding is left alone after the last sign of life of its client. */
  private static final long LEASE_MILLIS = Long.getLong("bellows.redis.lease", 10_000);

  /** The maximum number of bytes that are allocated in one round trip. */
  private static final long MOST_BYTES = 64L << 20;

  /** The maximum number of stripes that one script creates. */
  private static final int MOST_STRIPES = 64;

  /**
   * The maximum number of times that a step is repeated because the state is not the expected one.
   */
  private static final int MOST_ATTEMPTS = 100;

  private static final byte[] NONE = {};

  final Wire wire;
  final String name;
  private final @Nullable HashScheme scheme;
  private final byte[] stateKey;
  private final byte[] leaseKey;
  private volatile SharedState state;

  private StateAccess(Wire wire, String name, @Nullable HashScheme scheme, SharedState state) {
    this.wire = wire;
    this.name = name;
    this.scheme = scheme;
    this.stateKey = Wire.bytes(Keys.state(name));
    this.leaseKey = Wire.bytes(Keys.lease(name));
    this.state = state;
  }

  /**
   * Announces a filter whose first level is being created. Returns null if the name is already in
   * use.
   */
  static @Nullable StateAccess create(Wire wire, SharedState first) {
    StateAccess access = new StateAccess(wire, first.name(), first.shape().scheme(), first);
    List<byte[]> stripes = first.next().get(0).keys(first.name());
    if (!access.switchTo("", first, "", false, stripes)) {
      return null;
    }
    access.settle();
    return access;
  }

  /** Returns the filter with this name; null if there is none. */
  static @Nullable StateAccess open(Wire wire, String name, @Nullable HashScheme scheme) {
    SharedState found = load(wire, name, scheme);
    if (found == null) {
      return null;
    }
    StateAccess access = new StateAccess(wire, name, scheme, found);
    try {
      access.settle();
    } catch (SharedFilterException e) {
      // a replica, or a user with read access only: the live levels can still be queried
      if (!Wire.isWriteForbidden(e) || access.state().live().isEmpty()) {
        throw e;
      }
    }
    return access;
  }

  private static @Nullable SharedState load(Wire wire, String name, @Nullable HashScheme scheme) {
    List<byte[]> words = new ArrayList<>();
    words.add(Wire.bytes(Keys.state(name)));
    SharedState.FIELDS.forEach(field -> words.add(Wire.bytes(field)));
    List<@Nullable Object> reply =
        wire.ask(
            List.of(
                Command.of("HMGET", words.toArray(new byte[0][])),
                Command.of("EXISTS", words.get(0))));
    if (Objects.equals(reply.get(1), 0L)) {
      return null;
    }
    return SharedState.read(name, (List<?>) Objects.requireNonNull(reply.get(0)), scheme);
  }

  SharedState state() {
    return state;
  }

  byte[] stateKey() {
    return stateKey;
  }

  byte[] leaseKey() {
    return leaseKey;
  }

  static byte[] leaseMillis() {
    return Wire.decimal(LEASE_MILLIS);
  }

  /** Returns the command that reads the version, to be sent after other queries. */
  Command versionQuestion() {
    return Command.of("HGET", stateKey, Wire.bytes("version"));
  }

  /** Returns whether a reply to {@link #versionQuestion} is the version of a state. */
  static boolean isVersion(@Nullable Object reply, SharedState of) {
    return reply instanceof byte[] version && Arrays.equals(version, Wire.bytes(of.version()));
  }

  static byte[] expiry(SharedState of) {
    return of.expires() == 0 ? NONE : Wire.decimal(of.expires());
  }

  /** Reads the state again. Throws if it no longer exists or belongs to another filter. */
  SharedState refresh() {
    wire.countRetry();
    SharedState found = load(wire, name, scheme);
    if (found == null) {
      throw SharedFilterException.refused(
          "filter '%s' no longer exists: it was dropped, renamed or evicted, or has expired"
              .formatted(name));
    }
    if (!found.id().equals(state.id())) {
      throw SharedFilterException.refused(
          "filter '%s' is not the one that was opened, but %s: open it again"
              .formatted(name, found.shape()));
    }
    state = found;
    return found;
  }

  /** Counts the attempts of an operation, and throws if there are too many. */
  final class Attempts {
    private final String what;
    private int count;
    private boolean isBegun;

    private Attempts(String what) {
      this.what = what;
    }

    /** Reads the state again, for another attempt. */
    SharedState refresh() {
      count();
      return StateAccess.this.refresh();
    }

    /** Counts an attempt. */
    void count() {
      if (++count > MOST_ATTEMPTS) {
        throw SharedFilterException.refused(
            "the state of filter '%s' changed %d times during %s: try again later"
                .formatted(name, MOST_ATTEMPTS, what));
      }
    }

    /** Starts counting again, because part of the operation has succeeded. */
    void progress() {
      count = 0;
      isBegun = true;
    }

    /** Returns whether part of the operation has succeeded. */
    boolean isBegun() {
      return isBegun;
    }
  }

  /** Returns a counter for an operation, whose name appears in messages. */
  Attempts attempts(String what) {
    return new Attempts(what);
  }

  /**
   * Completes or removes what other clients left behind: a level, an abandoned folding, dead
   * stripes.
   */
  SharedState settle() {
    SharedState now = state;
    Attempts attempts = attempts("its growth");
    while (now.change() == Change.GROW) {
      attempts.count();
      now = finishGrowth(now);
    }
    if (now.isFolding()) {
      now = abandonFolding(now, true);
    }
    return sweep(now);
  }

  /** Switches the state if its version is still the given one. */
  boolean switchTo(
      String version, SharedState to, String lease, boolean ifFree, List<byte[]> mustNotExist) {
    return switchTo(version, to, lease, ifFree, mustNotExist, List.of());
  }

  /** Switches the state, and sets additional fields, if its version is still the given one. */
  private boolean switchTo(
      String version,
      SharedState to,
      String lease,
      boolean ifFree,
      List<byte[]> mustNotExist,
      List<byte[]> more) {
    List<byte[]> keys = new ArrayList<>(List.of(stateKey, leaseKey));
    keys.addAll(mustNotExist);
    List<byte[]> arguments =
        new ArrayList<>(
            List.of(Wire.bytes(version), Wire.bytes(lease), Wire.bytes(ifFree ? "free" : "")));
    arguments.addAll(to.fields());
    arguments.addAll(more);
    List<@Nullable Object> reply =
        wire.change("the change", List.of(Command.run(Script.SWITCH, keys, arguments)));
    boolean switched = Objects.equals(reply.get(0), 1L);
    if (switched) {
      state = to;
    }
    return switched;
  }

  /** Creates the next level, after ending a folding that would prevent this. */
  SharedState grow(SharedState from) {
    ScalablePlan plan = Objects.requireNonNull(from.plan());
    if (from.change() != Change.GROW) {
      int index = from.newest().index() + 1;
      long bits = plan.levelBits(index, from.bits());
      Part level =
          new Part(
              index,
              from.nextNumber(),
              bits,
              Part.stripeBytesFor(bits, from.layout()),
              Math.max(1, plan.keysAt(bits, index)));
      SharedState to = from.with(from.live(), Change.GROW, List.of(level), from.next());
      if (!switchTo(from.version(), to, "0", false, level.keys(name))) {
        return refresh();
      }
    }
    return sweep(finishGrowth(state));
  }

  /**
   * Adds an empty level that already counts the keys that a client is about to put into it. Returns
   * null if the state has changed.
   */
  @Nullable Part addLevel(SharedState from, int index, long bits, long capacity, long keys) {
    int stripeBytes = Part.stripeBytesFor(bits, from.layout());
    Part level = new Part(index, from.nextNumber(), bits, stripeBytes, capacity);
    SharedState to =
        from.with(from.live(), Change.GROW, List.of(level.checked(from.layout())), List.of());
    List<Part> levels = to.grown();
    String field = SharedState.keysField(levels, levels.indexOf(level));
    List<byte[]> count = List.of(Wire.bytes(field), Wire.decimal(keys));
    if (!switchTo(from.version(), to, "", false, level.keys(name), count)) {
      return null;
    }
    return sweep(finishGrowth(to)).live().contains(level) ? level : null;
  }

  private SharedState finishGrowth(SharedState now) {
    if (now.change() != Change.GROW) {
      return now;
    }
    if (!make(now, now.next().get(0), false)) {
      return refresh();
    }
    SharedState to = now.with(now.grown(), Change.NONE, List.of(), List.of());
    return switchTo(now.version(), to, "", false, List.of()) ? to : refresh();
  }

  /** Creates the stripes of a part in their full length. Returns false if the state has changed. */
  boolean make(SharedState of, Part part, boolean leased) {
    List<Command> commands = new ArrayList<>();
    long bytes = 0;
    for (int stripe = 0; stripe < part.stripes(); ) {
      List<byte[]> keys = new ArrayList<>(List.of(stateKey, leaseKey));
      List<byte[]> arguments =
          new ArrayList<>(
              List.of(Wire.bytes(of.version()), leased ? leaseMillis() : NONE, expiry(of)));
      long made = 0;
      do {
        keys.add(part.key(name, stripe));
        arguments.add(Wire.decimal(part.length(stripe)));
        made += part.length(stripe++);
      } while (stripe < part.stripes()
          && keys.size() < MOST_STRIPES
          && made + part.stripeBytes() <= Part.MOST_STRIPE_BYTES);
      commands.add(Command.run(Script.MAKE, keys, arguments));
      bytes += made;
      if (bytes >= MOST_BYTES || stripe == part.stripes()) {
        if (!allDone(wire.change("the change", commands))) {
          return false;
        }
        commands.clear();
        bytes = 0;
      }
    }
    return true;
  }

  /** Returns whether all scripts found the version they expected. */
  static boolean allDone(List<? extends @Nullable Object> replies) {
    return replies.stream().allMatch(reply -> Objects.equals(reply, 1L));
  }

  /** Ends a folding; the unfolded levels stay in use. */
  SharedState abandonFolding(SharedState now, boolean ifFree) {
    SharedState to = now.with(now.live(), Change.NONE, List.of(), now.next());
    if (switchTo(now.version(), to, "0", ifFree, List.of())) {
      return to;
    }
    return refresh();
  }

  /** Deletes the stripes of dead parts. */
  SharedState sweep(SharedState now) {
    if (now.garbage().isEmpty()) {
      return now;
    }
    List<Command> commands = new ArrayList<>();
    for (Part part : now.garbage()) {
      part.keys(name).forEach(key -> commands.add(Command.of("UNLINK", key)));
    }
    wire.change("the removal of dead stripes", commands);
    SharedState swept = now.swept();
    return switchTo(now.version(), swept, "", false, List.of()) ? swept : refresh();
  }

  /** Returns every stripe of the filter. */
  List<byte[]> allStripes(SharedState of) {
    List<byte[]> keys = new ArrayList<>();
    for (List<Part> parts : List.of(of.live(), of.next(), of.garbage())) {
      parts.forEach(part -> keys.addAll(part.keys(name)));
    }
    return keys;
  }
}

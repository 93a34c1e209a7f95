package dev.bellows.redis;

import dev.bellows.HashScheme;
import dev.bellows.growth.ScalablePlan;
import dev.bellows.redis.SharedState.Change;
import dev.bellows.redis.Wire.Command;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of one filter as this client knows it, and the changes of it that any client may make
 * or finish: a new level, the end of a folding whose client is gone, the removal of dead stripes.
 */
final class StateAccess {
  /** How long a folding is left alone after its client was last heard of. */
  private static final long LEASE_MILLIS = Long.getLong("bellows.redis.lease", 10_000);

  /** The maximum number of bytes that are made in one round trip. */
  private static final long MOST_BYTES = 64L << 20;

  /** The most stripes that one script makes. */
  private static final int MOST_STRIPES = 64;

  /** The most times that one step is repeated because the state is another one than expected. */
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

  /** Announces a filter whose first level is being made; false if there is one of that name. */
  static @Nullable StateAccess create(Wire wire, SharedState first) {
    StateAccess access = new StateAccess(wire, first.name(), first.shape().scheme(), first);
    List<byte[]> stripes = first.next().get(0).keys(first.name());
    if (!access.switchTo("", first, "", false, stripes)) {
      return null;
    }
    access.settle();
    return access;
  }

  /** Returns the filter of a name; null if there is none. */
  static @Nullable StateAccess open(Wire wire, String name, @Nullable HashScheme scheme) {
    SharedState found = load(wire, name, scheme);
    if (found == null) {
      return null;
    }
    StateAccess access = new StateAccess(wire, name, scheme, found);
    try {
      access.settle();
    } catch (SharedFilterException e) {
      // a replica, or a user who may only read: the live levels answer all the same
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

  /** Returns the question for the version, to be sent behind other questions. */
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

  /** Reads the state again; it is an error if it is gone, or of another filter. */
  SharedState refresh() {
    wire.countRetry();
    SharedState found = load(wire, name, scheme);
    if (found == null) {
      throw SharedFilterException.refused(
          "filter '%s' is gone: it was dropped, renamed, evicted or has expired".formatted(name));
    }
    if (!found.id().equals(state.id())) {
      throw SharedFilterException.refused(
          "filter '%s' is another one than was opened, now %s: open it again"
              .formatted(name, found.shape()));
    }
    state = found;
    return found;
  }

  /** The attempts to do something; too many of them are an exception. */
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
            "filter '%s' changed its state %d times during %s: try again later"
                .formatted(name, MOST_ATTEMPTS, what));
      }
    }

    /** Begins to count again, since a part of it is done. */
    void progress() {
      count = 0;
      isBegun = true;
    }

    /** Returns whether a part of it is done. */
    boolean isBegun() {
      return isBegun;
    }
  }

  /** No attempts yet to do something that messages name. */
  Attempts attempts(String what) {
    return new Attempts(what);
  }

  /** Finishes or removes what other clients left: a level, a dead folding, dead stripes. */
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

  /** The same with further fields and their values. */
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

  /** Begins the next level, ends a folding that is in its way, and makes it. */
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
   * Adds an empty level that counts as many keys as a client is about to put into it; null if the
   * state has changed.
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

  /** Gives the stripes of a part their length; false if the state has changed. */
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

  /** Ends a folding: the unfolded levels go on as before. */
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

package dev.bellows.bench.peers;

import static dev.bellows.bench.peers.Role.BYTES;
import static dev.bellows.bench.peers.Role.COPY;
import static dev.bellows.bench.peers.Role.COUNTING;
import static dev.bellows.bench.peers.Role.ELASTIC;
import static dev.bellows.bench.peers.Role.EXPIRING;
import static dev.bellows.bench.peers.Role.FOLD;
import static dev.bellows.bench.peers.Role.GROWING;
import static dev.bellows.bench.peers.Role.IDS;
import static dev.bellows.bench.peers.Role.INTERSECTION;
import static dev.bellows.bench.peers.Role.LONGS;
import static dev.bellows.bench.peers.Role.RANGES;
import static dev.bellows.bench.peers.Role.READ;
import static dev.bellows.bench.peers.Role.STATIC;
import static dev.bellows.bench.peers.Role.TEXTS;
import static dev.bellows.bench.peers.Role.THRESHOLDS;
import static dev.bellows.bench.peers.Role.UNION;
import static dev.bellows.bench.peers.Role.WRITE;

import java.lang.reflect.InvocationTargetException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** All contenders: this library's filters, those of other libraries, and the lower bounds. */
public enum Peer {
  BLOCKED("BLOCKED", "Bellows", allBut(THRESHOLDS, IDS, RANGES)),
  CLASSIC("CLASSIC", "Bellows", allBut(GROWING, ELASTIC, EXPIRING, IDS, RANGES, COPY)),
  FROZEN("Frozen", "Structures", STATIC),
  WINDOW_RING("Window, ring", "Structures", EXPIRING),
  WINDOW_PREFIXES("Window, prefixes", "Structures", EXPIRING),
  BLOCKED_IN_TURN("one BLOCKED per generation", "Structures", EXPIRING),
  SCALABLE("Scalable", "Structures", GROWING),
  ELASTIC_VIEW("Elastic", "Structures", ELASTIC),
  PARTITION("Partition tree", "Structures", IDS),
  PARTITION_VIEW("Partition view", "Structures", IDS),
  AUTOSCALING("Autoscaling", "Structures", THRESHOLDS),
  AUTOSCALING_BITS("Autoscaling, binarized", "Structures", THRESHOLDS),
  AUTOSCALING_LIKELIHOOD("Autoscaling, likelihood", "Structures", THRESHOLDS),
  RANGE_BOTH("Range, division + overlapping", "Structures", RANGES),
  RANGE_DIVISION("Range, division", "Structures", RANGES),
  RANGE_OVERLAPPING("Range, overlapping", "Structures", RANGES),
  RANGE_PLAIN("Range, number by number", "Structures", RANGES),

  GUAVA("Guava", "Guava", LONGS, TEXTS, BYTES, UNION, WRITE, READ),
  SPARK_V1("Spark V1", "Spark", LONGS, TEXTS, BYTES, UNION, INTERSECTION, WRITE, READ),
  SPARK_V2("Spark V2", "Spark", LONGS, TEXTS, BYTES, UNION, INTERSECTION, WRITE, READ),
  DATASKETCHES(
      "DataSketches", "DataSketches", LONGS, TEXTS, BYTES, UNION, INTERSECTION, WRITE, READ),
  FASTFILTER_BLOOM("fastfilter Bloom", "Fastfilter", LONGS),
  FASTFILTER_BLOCKED("fastfilter BlockedBloom", "Fastfilter", LONGS),
  FASTFILTER_COUNTING("fastfilter CountingBloom", "Fastfilter", COUNTING),
  FASTFILTER_SUCCINCT("fastfilter SuccinctCountingBloom", "Fastfilter", COUNTING),
  FASTFILTER_SUCCINCT_BLOCKED("fastfilter SuccinctCountingBlocked", "Fastfilter", COUNTING),
  FASTFILTER_RANKED("fastfilter SuccinctCountingBlockedRanked", "Fastfilter", COUNTING),
  FASTFILTER_XOR8("fastfilter Xor8", "Fastfilter", STATIC),
  FASTFILTER_XORPLUS8("fastfilter XorPlus8", "Fastfilter", STATIC),
  FASTFILTER_XOR16("fastfilter Xor16", "Fastfilter", STATIC),
  PARQUET("Parquet split block", "Parquet", LONGS, TEXTS, BYTES, UNION, WRITE, READ),
  COMMONS("Commons Collections", "Commons", LONGS, TEXTS, BYTES, GROWING, UNION),
  HADOOP("Hadoop", "Hadoop", allBut(ELASTIC, STATIC, EXPIRING, IDS, RANGES, FOLD, COPY)),
  FILTER_LIST("list of equal filters", "Structures", IDS),

  RANDOM_READ("one random read (floor)", "Floors", LONGS),
  HASH("the hash alone (floor)", "Floors", LONGS, TEXTS, BYTES),
  MEMORY_COPY("memory copy (floor)", "Floors", COPY);

  /** The rate that all are configured for. */
  public static final double FPP = 0.01;

  /** The rate of static filters: that of fingerprints of 8 bits. */
  public static final double STATIC_FPP = 1.0 / 256;

  private final String label;
  private final String file;
  private final Set<Role> roles;

  Peer(String label, String file, Role first, Role... more) {
    this(label, file, EnumSet.of(first, more));
  }

  Peer(String label, String file, Set<Role> roles) {
    this.label = label;
    this.file = file;
    this.roles = roles;
  }

  private static Set<Role> allBut(Role first, Role... more) {
    return EnumSet.complementOf(EnumSet.of(first, more));
  }

  /** Returns its name for a reader. */
  public String label() {
    return label;
  }

  /** The library it is from, as in versions.properties. */
  public String library() {
    return file;
  }

  /** Returns whether it is a filter of this library. */
  public boolean ours() {
    return file.equals("Bellows") || file.equals("Structures") && this != FILTER_LIST;
  }

  /** Returns whether this is a bound for filters and not a filter. */
  public boolean floor() {
    return file.equals("Floors");
  }

  /** Returns whether several threads may put at once. */
  public boolean threadSafe() {
    return file.equals("Bellows") || this == GUAVA;
  }

  /** Returns whether it has paths of its own for batches. */
  public boolean batches() {
    return file.equals("Bellows");
  }

  /** Returns whether it plays the role. */
  public boolean plays(Role role) {
    return roles.contains(role);
  }

  /** Returns a new filter, created by name, so that no class of another contender is loaded. */
  public Contender make(Role role, long keys) {
    try {
      return (Contender)
          type(role)
              .getConstructor(Peer.class, Role.class, long.class)
              .newInstance(this, role, keys);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(label + " failed in " + role, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(label + " does not play " + role, e);
    }
  }

  /** Returns the nested class with the name of the role, or that of plain filters. */
  private Class<?> type(Role role) throws ClassNotFoundException {
    String library = Peer.class.getPackageName() + "." + file + "$";
    String name = role.name();
    try {
      return Class.forName(library + name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT));
    } catch (ClassNotFoundException e) {
      return Class.forName(library + "Plain");
    }
  }
}

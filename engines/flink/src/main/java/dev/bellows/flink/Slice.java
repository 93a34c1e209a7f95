package dev.bellows.flink;

import dev.bellows.io.ReadOptions;
import dev.bellows.window.WindowFilter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ids of one slice that were passed on: a window filter, and those that are ahead of it.
 *
 * <p>With T the window, L the allowed lateness, and the clock c = watermark + T:
 *
 * <ul>
 *   <li>an event at t is late if t + L is not after the watermark;
 *   <li>at t up to c it is put into the filter, whose window is 2 T + L: what was put at t is found
 *       while c is before t + 2 T + L, i.e. while the watermark is before t + T + L. A later event
 *       at less than t + T is late. So every duplicate less than T away is found, in whichever
 *       order the two come;
 *   <li>after c it is kept with its time in a map, and put into the filter when the clock has
 *       reached it.
 * </ul>
 *
 * <p>All times are in milliseconds. Not thread-safe: Flink calls it from one thread, and writes it
 * from another one only after a {@link #copy} has taken its place.
 */
final class Slice {
  /** No time. */
  static final long NONE = Long.MIN_VALUE;

  private final Settings settings;
  private final WindowFilter filter;

  /** Hashes after the clock, with their times; null if there are none. */
  private @Nullable Map<Long, long[]> ahead;

  /** The earliest time in the map, or the largest number. */
  private long earliest = Long.MAX_VALUE;

  /** The latest time in the filter. */
  private long newest = NONE;

  /** The watermark plus T; never runs back. */
  private long clock;

  /** The number of the clock's generation: within one, the filter need not know the time. */
  private long generation;

  /** Whether its numbers are reported; not part of the state. */
  private boolean isReported;

  /** When its timer fires, or the largest number if it has none. */
  private long timer = Long.MAX_VALUE;

  private Slice(Settings settings, WindowFilter filter, long clock) {
    this.settings = settings;
    this.filter = filter;
    this.clock = clock;
    this.generation = generation(clock);
  }

  Slice(Settings settings) {
    this(settings, settings.filter(), NONE);
  }

  private long generation(long time) {
    return time == NONE
        ? NONE
        : Math.floorDiv(time * Settings.GENERATIONS, settings.filterWindow());
  }

  /** Moves the clock to a watermark, but not past the last time that a filter takes. */
  void advanceTo(long watermark) {
    if (watermark < firstWatermark()) {
      return;
    }
    long last = Settings.MOST_MILLIS - settings.window();
    long next = Math.min(watermark, last) + settings.window();
    if (next > clock) {
      clock = next;
      long now = generation(next);
      if (now > generation) {
        generation = now;
        filter.advanceTo(Instant.ofEpochMilli(next));
      }
    }
  }

  /** The first watermark that counts: before it, events that are not late are not for a filter. */
  private long firstWatermark() {
    return settings.lateness() - Settings.MOST_MILLIS;
  }

  /** Whether an event at this time is late. */
  boolean isLate(long time) {
    return clock != NONE && time <= clock - settings.window() - settings.lateness();
  }

  /** Adds an id at a time that is not late; true iff it is new. */
  boolean add(long hash, long time) {
    if (ahead != null && isAhead(hash, time)) {
      return false;
    }
    if (clock != NONE && time <= clock) {
      boolean isNew = filter.putIfAbsentHash(hash, time);
      if (isNew && time > newest) {
        newest = time;
      }
      return isNew;
    }
    // events more than a window ahead are not duplicates of anything in the filter
    if (clock != NONE && time - settings.window() <= clock && filter.mightContainHash(hash)) {
      return false;
    }
    if (ahead == null) {
      ahead = new HashMap<>();
    }
    long[] before = ahead.get(hash);
    long[] times = before == null ? new long[1] : Arrays.copyOf(before, before.length + 1);
    times[times.length - 1] = time;
    ahead.put(hash, times);
    earliest = Math.min(earliest, time);
    return true;
  }

  /** Whether the map has the hash at a time that is less than a window away. */
  private boolean isAhead(long hash, long time) {
    long[] times = ahead == null ? null : ahead.get(hash);
    if (times == null) {
      return false;
    }
    for (long other : times) {
      // differences of times that are far apart are more than a long
      if (Math.abs((double) time - other) < settings.window()) {
        return true;
      }
    }
    return false;
  }

  /** Puts into the filter what the clock has reached, and forgets what it can never reach. */
  void settle() {
    boolean atTheEnd = isAtTheEnd();
    if (ahead == null || (earliest > clock && !atTheEnd)) {
      return;
    }
    long remaining = Long.MAX_VALUE;
    for (Iterator<Map.Entry<Long, long[]>> all = ahead.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Long, long[]> entry = all.next();
      int kept = 0;
      long[] times = entry.getValue();
      for (long time : times) {
        if (time > clock) {
          if (!atTheEnd) {
            times[kept++] = time;
            remaining = Math.min(remaining, time);
          }
        } else if (!isLate(time + settings.window())) {
          // an older one of the same id may still be there, and expires before this one
          filter.putHash(entry.getKey(), Math.max(time, -Settings.MOST_MILLIS));
          newest = Math.max(newest, time);
        }
      }
      if (kept == 0) {
        all.remove();
      } else if (kept < times.length) {
        entry.setValue(Arrays.copyOf(times, kept));
      }
    }
    earliest = remaining;
    if (ahead.isEmpty()) {
      ahead = null;
    }
  }

  /**
   * The watermark at which there is something to do: everything has expired, or the clock is half a
   * window past the first id of the map. At the end of time it is the end of the stream.
   */
  long due() {
    if (isAtTheEnd()) {
      return Long.MAX_VALUE;
    }
    long expires =
        newest == NONE ? Long.MAX_VALUE : newest + settings.window() + settings.lateness();
    long half = settings.window() / 2;
    long reached = Math.max(Math.max(earliest, NONE + half) - half, firstWatermark());
    return ahead == null ? expires : Math.min(expires, reached);
  }

  /** Whether the clock stands at the last time that a filter takes, and expires nothing more. */
  private boolean isAtTheEnd() {
    return clock == Settings.MOST_MILLIS;
  }

  /** Whether no id is needed any more. */
  boolean isOver() {
    return ahead == null && (newest == NONE || isLate(newest + settings.window()));
  }

  long timer() {
    return timer;
  }

  void setTimer(long timer) {
    this.timer = timer;
  }

  /** Whether its numbers are reported already; from now on they are. */
  boolean isReported() {
    boolean was = isReported;
    isReported = true;
    return was;
  }

  /** The ids in it, estimated; from any thread. */
  long keys() {
    return filter.approximateElementCount() + aheadKeys();
  }

  /** The ids that are ahead of the clock; from any thread, about. */
  int aheadKeys() {
    Map<Long, long[]> its = ahead;
    return its == null ? 0 : its.size();
  }

  /** The expected share of new events that are mistaken for duplicates; from any thread. */
  double expectedFpp() {
    return filter.expectedFpp();
  }

  /** The bytes of heap of its filter, counted. */
  long heapBytes() {
    return filter.heapBytes();
  }

  /** An independent slice with the same content. */
  Slice copy() {
    Slice copy = new Slice(settings, filter.copy(), clock);
    if (ahead != null) {
      Map<Long, long[]> times = new HashMap<>(ahead);
      times.replaceAll((hash, its) -> its.clone());
      copy.ahead = times;
    }
    copy.earliest = earliest;
    copy.newest = newest;
    copy.timer = timer;
    return copy;
  }

  // Version 1: clock, newest, timer, the number of hashes ahead, each with the number of its times
  // and these, and the length and the bytes of the filter's file.

  void writeTo(DataOutput out) throws IOException {
    out.writeLong(clock);
    out.writeLong(newest);
    out.writeLong(timer);
    out.writeInt(aheadKeys());
    if (ahead != null) {
      // in one order, so that equal slices have equal bytes
      for (Map.Entry<Long, long[]> entry : new TreeMap<>(ahead).entrySet()) {
        out.writeLong(entry.getKey());
        out.writeInt(entry.getValue().length);
        for (long time : entry.getValue()) {
          out.writeLong(time);
        }
      }
    }
    byte[] bytes = filter.toBytes();
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /**
   * Reads a slice.
   *
   * @throws IOException if the bytes are not those of a slice with these settings
   */
  static Slice read(Settings settings, DataInput in) throws IOException {
    long clock = in.readLong();
    long newest = in.readLong();
    long timer = in.readLong();
    int hashes = in.readInt();
    require(clock == NONE || Math.abs(clock) <= Settings.MOST_MILLIS, "a clock of", clock);
    require(newest == NONE || newest <= clock, "an id after the clock:", newest);
    require(hashes >= 0, "a number of ids of", hashes);
    Map<Long, long[]> ahead = hashes == 0 ? null : new HashMap<>();
    long earliest = Long.MAX_VALUE;
    for (int i = 0; i < hashes; i++) {
      long hash = in.readLong();
      long[] times = readTimes(in);
      for (long time : times) {
        earliest = Math.min(earliest, time);
      }
      require(ahead.put(hash, times) == null, "an id twice:", hash);
    }
    Slice slice = new Slice(settings, readFilter(settings, clock, in), clock);
    slice.ahead = ahead;
    slice.earliest = earliest;
    slice.newest = newest;
    slice.timer = timer;
    return slice;
  }

  private static long[] readTimes(DataInput in) throws IOException {
    int count = in.readInt();
    require(count > 0, "a number of times of", count);
    // what is allocated grows with what is read
    long[] times = new long[Math.min(count, 16)];
    for (int i = 0; i < count; i++) {
      if (i == times.length) {
        times = Arrays.copyOf(times, (int) Math.min(count, 2L * i));
      }
      times[i] = in.readLong();
    }
    return times;
  }

  private static WindowFilter readFilter(Settings settings, long clock, DataInput in)
      throws IOException {
    int length = in.readInt();
    require(length >= 0, "a filter with a length of", length);
    byte[] bytes = new byte[Math.min(length, 1 << 16)];
    for (int i = 0; i < length; i = bytes.length) {
      bytes = i == 0 ? bytes : Arrays.copyOf(bytes, (int) Math.min(length, 2L * i));
      in.readFully(bytes, i, bytes.length - i);
    }
    WindowFilter filter = WindowFilter.PREFIX_FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
    require(
        filter.window().toMillis() == settings.filterWindow()
            && filter.generationsPerWindow() == Settings.GENERATIONS,
        "a filter with a window of",
        filter.window().toMillis());
    long now = filter.now().map(Instant::toEpochMilli).orElse(NONE);
    require(now == NONE ? clock == NONE : isSameGeneration(filter, now, clock), "a time of", now);
    return filter;
  }

  private static boolean isSameGeneration(WindowFilter filter, long now, long clock) {
    return clock != NONE
        && filter
            .generationStart(Instant.ofEpochMilli(now))
            .equals(filter.generationStart(Instant.ofEpochMilli(clock)));
  }

  private static void require(boolean holds, String what, long value) throws IOException {
    if (!holds) {
      throw new IOException("the state of a slice is damaged: it has %s %d".formatted(what, value));
    }
  }
}

package dev.bellows.cli.kinds;

import dev.bellows.Durable;
import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Durable filters: folders with a journal and snapshots, which verbs name like files. */
public final class DurableFolders {
  /** The time between two attempts to open a folder that is open elsewhere. */
  private static final long POLL_NANOS = 50_000_000;

  private DurableFolders() {}

  /** Whether a name is that of a folder: it ends with a slash, or is an existing folder. */
  public static boolean isFolder(String name) {
    return name.endsWith("/") || name.endsWith("\\") || Files.isDirectory(Path.of(name));
  }

  /** Whether a name is that of a folder with a durable filter. */
  public static boolean isDurable(String name) throws IOException {
    return !name.equals("-") && DurableFilter.isAt(Path.of(name));
  }

  /** Makes empty filters with stored settings, which may be untrusted. */
  public static Supplier<Durable> empty(byte[] settings, ReadOptions options) {
    return () -> {
      try {
        Filter filter =
            Filters.format(FilterReader.ofHeader(settings, options).header().kind())
                .empty(settings, options);
        return (Durable) filter;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Opens a folder to change its filter. */
  public static DurableFilter<Durable> open(String folder, @Nullable HashScheme scheme)
      throws IOException {
    return openExisting(DurableFilter.at(Path.of(folder)).sync(Sync.NEVER), folder, scheme);
  }

  /** Something that opens a folder. */
  @FunctionalInterface
  public interface Opening<A> {
    /** Opens the folder. */
    A open() throws IOException;
  }

  /** Opens a folder, and waits while another process has it open. */
  public static <A> A waiting(Console console, String folder, Opening<A> opening)
      throws IOException {
    for (boolean isFirst = true; ; isFirst = false) {
      try {
        return opening.open();
      } catch (DurableFilter.InUseException e) {
        if (!console.isPatient()) {
          throw new CommandFailure(
              "%s is being updated by another process (%s): try again, or leave out --no-wait",
              folder, e.getReason());
        }
        if (isFirst) {
          console.note("waiting for another process that updates " + folder);
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  /** Opens a folder to read it, while another process may change it. */
  public static DurableFilter<Durable> read(String folder, @Nullable HashScheme scheme)
      throws IOException {
    return openExisting(DurableFilter.at(Path.of(folder)).readOnly(), folder, scheme);
  }

  private static DurableFilter<Durable> openExisting(
      DurableFilter.Builder builder, String folder, @Nullable HashScheme scheme)
      throws IOException {
    if (!isDurable(folder)) {
      throw new CommandFailure(
          folder + " does not hold a durable filter: bellows uniq --state DIR/ makes one");
    }
    try {
      byte[] settings = DurableFilter.settings(Path.of(folder));
      return open(builder, folder, empty(settings, FilterFiles.options(scheme)));
    } catch (FilterFormatException e) {
      throw FilterFiles.unreadable(folder, e);
    }
  }

  /** Opens a folder, or makes it. */
  public static DurableFilter<Durable> open(
      DurableFilter.Builder builder, String folder, Supplier<Durable> empty) throws IOException {
    try {
      return builder.open(empty);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof FilterFormatException damage) {
        throw FilterFiles.unreadable(folder, damage);
      }
      throw e.getCause();
    } catch (FilterFormatException e) {
      throw FilterFiles.unreadable(folder, e);
    }
  }

  /**
   * Refuses a folder whose keys a verb cannot change: one without its secret key, or one that
   * follows another folder.
   */
  public static void requireOwn(
      DurableFilter<?> filter, String folder, SchemeOptions options, Ability change) {
    FilterFiles.requireKey(filter.hashScheme(), folder, options.keyFile != null);
    if (filter.sourceId() != 0) {
      throw new CommandFailure(
          "%s follows the folder with id %016x: %s that one",
          folder, filter.sourceId(), change == Ability.REMOVE ? "remove from" : "add to");
    }
  }

  /**
   * Changes that were tried on a copy of a filter, and are applied to its folder once all of them
   * are accepted. Those of a window have times.
   */
  public static final class Pending {
    /** The most changes in one group of the journal. */
    private static final int GROUP = 1 << 13;

    private final LongStream.Builder hashes = LongStream.builder();
    private final LongStream.Builder times = LongStream.builder();

    /** Returns a change that also adds every hash that changed something. */
    CodedKeys.Change adding(CodedKeys.Change change) {
      return (codes, from, to) -> {
        int changed = 0;
        for (int i = from; i < to; i++) {
          if (change.change(codes, i, i + 1) > 0) {
            add(codes[i]);
            changed++;
          }
        }
        return changed;
      };
    }

    /** Adds a hash. */
    public void add(long hash) {
      hashes.add(hash);
    }

    /** Adds a hash with its time. */
    public void add(long hash, long millis) {
      hashes.add(hash);
      times.add(millis);
    }

    /**
     * Puts or removes all of them, in groups; puts into a window go generation by generation, at
     * the newest time of each.
     */
    public void applyTo(DurableFilter<?> folder, Ability change) {
      long[] all = hashes.build().toArray();
      long[] millis = times.build().toArray();
      WindowFilter window =
          folder.read(filter -> filter) instanceof WindowFilter expiring ? expiring : null;
      for (int from = 0, to; from < all.length; from = to) {
        int most = Math.min(all.length, from + GROUP);
        if (change == Ability.REMOVE) {
          to = most;
          folder.removeHashes(all, from, to);
        } else if (window == null) {
          to = most;
          folder.putHashes(all, from, to);
        } else {
          Instant start = start(window, millis[from]);
          to = from + 1;
          while (to < most && start(window, millis[to]).equals(start)) {
            to++;
          }
          folder.putHashes(all, from, to, Arrays.stream(millis, from, to).max().orElseThrow());
        }
      }
    }

    private static Instant start(WindowFilter window, long millis) {
      return window.generationStart(Instant.ofEpochMilli(millis));
    }
  }

  /** What {@code info} adds for a folder. */
  public static void addFields(Map<String, @Nullable Object> fields, DurableFilter<?> filter) {
    DurableFilter.Numbers now = filter.numbers();
    fields.put("bytes", now.journalBytes() + now.snapshotBytes());
    fields.put("version", now.version());
    fields.put("epoch", now.epoch());
    fields.put("journalBytes", now.journalBytes());
    fields.put("snapshotBytes", now.snapshotBytes());
    fields.put("snapshotVersion", now.snapshotVersion());
    fields.put("sync", filter.sync().toString());
    fields.put("id", "%016x".formatted(filter.id()));
    fields.put("cutBytes", filter.recovery().cutBytes());
    boolean isReplica = filter.sourceId() != 0;
    fields.put("source", isReplica ? "%016x".formatted(filter.sourceId()) : null);
    fields.put("sourceVersion", isReplica ? filter.sourceVersion() : null);
  }

  /** The size of a folder and its version, in both forms of a report. */
  public static Report addTo(Report report, String folder, DurableFilter<?> filter) {
    DurableFilter.Numbers now = filter.numbers();
    long bytes = now.journalBytes() + now.snapshotBytes();
    return report
        .field("bytes", bytes)
        .both("version", now.version(), "changes so far")
        .add("folder", folder, Prose.bytes(bytes));
  }
}

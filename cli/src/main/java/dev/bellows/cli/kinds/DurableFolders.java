package dev.bellows.cli.kinds;

import dev.bellows.Durable;
import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Report;
import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Durable filters: folders with a journal and snapshots, which verbs name like files. */
public final class DurableFolders {
  private DurableFolders() {}

  /** Whether a name is that of a folder: it ends with a slash, or is one. */
  public static boolean isFolder(String name) {
    return name.endsWith("/") || name.endsWith("\\") || Files.isDirectory(Path.of(name));
  }

  /** Whether a name is that of a folder with a durable filter. */
  public static boolean isDurable(String name) throws IOException {
    return !name.equals("-") && DurableFilter.isAt(Path.of(name));
  }

  /** Makes empty filters with stored settings. */
  public static Supplier<Durable> empty(byte[] settings, @Nullable HashScheme scheme) {
    ReadOptions options =
        scheme == null ? ReadOptions.UNLIMITED : ReadOptions.UNLIMITED.withHashScheme(scheme);
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
  public static DurableFilter<Durable> open(String folder, @Nullable HashScheme scheme, Sync sync)
      throws IOException {
    return openExisting(DurableFilter.at(Path.of(folder)).sync(sync), folder, scheme);
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
      return open(builder, folder, empty(DurableFilter.settings(Path.of(folder)), scheme));
    } catch (FilterFormatException e) {
      throw failure(folder, e);
    }
  }

  /** Opens a folder, or makes it. */
  public static DurableFilter<Durable> open(
      DurableFilter.Builder builder, String folder, Supplier<Durable> empty) throws IOException {
    try {
      return builder.open(empty);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof FilterFormatException damage) {
        throw failure(folder, damage);
      }
      throw e.getCause();
    } catch (FilterFormatException e) {
      throw failure(folder, e);
    }
  }

  private static CommandFailure failure(String folder, FilterFormatException e) {
    return new CommandFailure(
        folder
            + ": "
            + e.getMessage()
            + (e.isOtherScheme() ? ": give the --key-file that it was built with, if any" : ""),
        e);
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
        .both("version", "version", now.version(), "changes so far")
        .add("folder", folder, Prose.bytes(bytes));
  }
}

package dev.bellows.cli.parquet;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Failures;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Output;
import dev.bellows.cli.console.Progress;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Prose;
import dev.bellows.parquet.FilterChange;
import dev.bellows.parquet.Missing;
import dev.bellows.parquet.ParquetFolder;
import dev.bellows.parquet.ParquetRewrite;
import dev.bellows.parquet.RemoteStore;
import dev.bellows.parquet.TableFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the verbs that rewrite Parquet files share. */
abstract class ParquetRewriting extends Verb {
  /** Files of a folder that are written at the same time. */
  private static final int AT_ONCE = 2;

  @Parameters(
      index = "0",
      paramLabel = "IN",
      converter = ParquetPaths.Place.class,
      description =
          "A Parquet file, or a folder of them; also the address of one, e.g. hdfs://host/folder.")
  Path in;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      converter = ParquetPaths.Place.class,
      description = {
        "The new file; for a folder, the folder of the new files.",
        "Files that were written before are left as they are, so that a run can be repeated.",
        "On HDFS a file is written under a hidden name and renamed; on an object store (s3a, gs,"
            + " abfs) it is one upload, under a name that is new."
      })
  @Nullable Path output;

  @Option(
      names = "--in-place",
      description = {
        "Replace the files themselves. Not for files of a table: Iceberg, Delta and Hudi record"
            + " the lengths of their files."
      })
  boolean inPlace;

  @Option(
      names = "--follow-links",
      description = {
        "With --in-place: also change what symbolic links inside the folder lead to, perhaps"
            + " outside of it; without this option they are skipped and named.",
        "IN itself may always be a link. Files that are only read are found through links anyway."
      })
  boolean followLinks;

  @Option(names = "--dry-run", description = "Say what would be done, and write nothing.")
  boolean dryRun;

  /** One file and where it goes. */
  private record Job(Path from, @Nullable Path to) {}

  /** What was done with a file, or would be. */
  private record Done(Job job, ParquetRewrite rewrite, boolean isSkipped) {}

  /**
   * Plans the new file.
   *
   * @param progress is told the bytes that are done, if values are read for the plan: together the
   *     length of the file
   */
  abstract ParquetRewrite plan(Path path, LongConsumer progress) throws IOException;

  /** Returns how many times the length of a file is told to the progress. */
  int passes() {
    return 1;
  }

  /** A run over a folder or in place continues where an interrupted one stopped. */
  final Missing missing() {
    return inPlace || Files.isDirectory(in) ? Missing.SKIP : Missing.REFUSE;
  }

  /** Returns the name in JSON of the number of filters that changed. */
  abstract String changedName();

  @Override
  public Integer call() throws IOException {
    requireUse();
    ParquetFolder.Listing listing = ParquetPaths.list(in, followLinks || !inPlace);
    for (Path link : listing.skippedLinks()) {
      say(link + " is a link, skipped; --follow-links changes what it leads to");
    }
    List<Job> jobs = jobs(listing.files());
    List<Object> failed = new ArrayList<>();
    List<Done> done = runAll(jobs, failed);
    long written = dryRun ? 0 : done.stream().filter(file -> !file.isSkipped).count();
    report(
        report(done)
            .field("written", written)
            .field("files", done.stream().map(this::fields).toList())
            .field("dryRun", dryRun)
            .field("failed", failed)
            .field("skippedLinks", listing.skippedLinks().stream().map(Path::toString).toList()));
    if (failed.isEmpty()) {
      return OK;
    }
    say(
        "%d of %d files failed; the other %d %s: fix or move what failed, and " + "run it again",
        failed.size(), jobs.size(), done.size(), dryRun ? "would be done" : "are done");
    return BAD;
  }

  /** Refuses invalid requests before the folder is read. */
  private void requireUse() throws IOException {
    if (!Files.exists(in)) {
      throw new NoSuchFileException(in.toString());
    }
    if (output == null && !inPlace && !dryRun) {
      throw misuse("where to write is missing: -o OUT, or --in-place, or --dry-run");
    }
    if (output != null && output.toString().equals("-")) {
      throw misuse("a Parquet file is not written to standard output: name a file");
    }
    RemoteStore store = ParquetPaths.store(in);
    if (inPlace && store != null && !store.replaces()) {
      throw misuse(
          "%s is on an object store, where no file is replaced in one step: write to another name with -o, and let readers move to it",
          in);
    }
    if (output != null && inPlace) {
      throw misuse("-o and --in-place exclude each other");
    }
    if (output != null && Files.isDirectory(in) && Files.isRegularFile(output)) {
      throw misuse("the input %s is a folder, and the output %s a file: name a folder", in, output);
    }
  }

  private List<Job> jobs(List<Path> files) throws IOException {
    List<Job> jobs = new ArrayList<>();
    Set<Path> replaced = new HashSet<>();
    Set<@Nullable Path> folders = new HashSet<>();
    for (Path file : files) {
      if (inPlace && Files.exists(file) && !replaced.add(file.toRealPath())) {
        continue; // another link to it
      }
      Job job = new Job(file, target(file));
      Path to = job.to;
      // on a remote store each check is a request: once for each folder
      if (to != null && (ParquetPaths.store(to) == null || folders.add(to.getParent()))) {
        TableFolders.requireNone(to);
      }
      jobs.add(job);
    }
    return jobs;
  }

  private @Nullable Path target(Path file) throws IOException {
    if (output == null) {
      return inPlace ? file : null;
    }
    if (!Files.isDirectory(in)) {
      Path path =
          Files.isDirectory(output) ? output.resolve(String.valueOf(file.getFileName())) : output;
      if (Files.exists(path) && Files.isSameFile(file, path)) {
        throw misuse("the output " + path + " is the input: name another file, or use --in-place");
      }
      return path;
    }
    Path folder = Files.exists(output) ? output.toRealPath() : output.toAbsolutePath().normalize();
    if (folder.startsWith(in.toRealPath())) {
      throw misuse("the output " + output + " lies in the input " + in + ": name another folder");
    }
    return output.resolve(in.relativize(file).toString());
  }

  /** Processes all files; failures are reported, and listed with their file. */
  private List<Done> runAll(List<Job> jobs, List<Object> failed) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try (Progress progress =
        Progress.reading(console(), jobs.stream().map(Job::from).toList(), passes())) {
      List<Future<Done>> futures = new ArrayList<>();
      for (Job job : jobs) {
        futures.add(threads.submit(() -> ParquetPaths.named(job.from, from -> run(job, progress))));
      }
      List<Done> done = new ArrayList<>();
      for (int i = 0; i < jobs.size(); i++) {
        try {
          done.add(futures.get(i).get());
        } catch (ExecutionException e) {
          Throwable cause = Objects.requireNonNull(e.getCause());
          boolean isOfFile =
              cause instanceof IOException
                  || cause instanceof CommandFailure
                  || cause instanceof OutOfMemoryError
                  || cause.getCause() instanceof OutOfMemoryError;
          if (jobs.size() == 1 || !isOfFile) {
            Failures.rethrow(cause);
          }
          String message = ParquetPaths.message(jobs.get(i).from, cause);
          say(message);
          failed.add(Json.fields("file", jobs.get(i).from.toString(), "error", message));
        }
      }
      return done;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private Done run(Job job, Progress progress) throws IOException {
    ParquetRewrite rewrite = plan(job.from, progress::step);
    boolean isSkipped = isDone(job, rewrite);
    if (job.to != null && !dryRun && !isSkipped) {
      write(job.to, rewrite, progress::step);
    }
    return new Done(job, rewrite, isSkipped);
  }

  private void write(Path to, ParquetRewrite rewrite, LongConsumer progress) throws IOException {
    if (Files.isDirectory(in)) {
      Files.createDirectories(to.toAbsolutePath().getParent());
    }
    RemoteStore store = ParquetPaths.store(to);
    if (store != null) {
      store.write(to, out -> rewrite.writeTo(to, out, progress));
      return;
    }
    try (Output target = Output.open(console(), to.toString())) {
      target.write(out -> rewrite.writeTo(to, out, progress), rewrite.source());
    }
  }

  /**
   * Returns whether nothing is left to do: nothing changes in place, or an earlier run wrote this
   * file. A file gets its name only when it is complete.
   */
  private boolean isDone(Job job, ParquetRewrite rewrite) throws IOException {
    if (inPlace) {
      return rewrite.changes().isEmpty();
    }
    if (job.to == null
        || !Files.isDirectory(in)
        || !Files.exists(job.to)
        || Files.size(job.to) != rewrite.bytesAfter()) {
      return false;
    }
    try (SameBytes compared = new SameBytes(job.to)) {
      rewrite.writeTo(compared, bytes -> {});
      return true;
    } catch (SameBytes.DifferentException different) {
      return false;
    }
  }

  private Map<String, @Nullable Object> fields(Done file) {
    Report fields =
        new Report()
            .field("file", file.job.from.toString())
            .field("output", file.job.to == null ? null : file.job.to.toString())
            .field("skipped", file.isSkipped);
    addSums(fields, List.of(file.rewrite));
    return fields
        .field("changes", file.rewrite.changes().stream().map(ParquetRewriting::fields).toList())
        .fields();
  }

  private static Map<String, @Nullable Object> fields(FilterChange change) {
    return new Report()
        .field("rowGroup", change.rowGroup())
        .field("column", change.column())
        .field("bytesBefore", change.bytesBefore())
        .field("bytesAfter", change.bytesAfter())
        .field("fppBefore", change.fppBefore())
        .field("fppAfter", change.fppAfter())
        .fields();
  }

  private void addSums(Report report, List<ParquetRewrite> rewrites) {
    report
        .field("bytesBefore", rewrites.stream().mapToLong(ParquetRewrite::bytesBefore).sum())
        .field("bytesAfter", rewrites.stream().mapToLong(ParquetRewrite::bytesAfter).sum())
        .field("filters", rewrites.stream().mapToInt(file -> file.filters().size()).sum())
        .field(changedName(), rewrites.stream().mapToInt(file -> file.changes().size()).sum())
        .field(
            "highestFpp",
            rewrites.stream()
                .flatMap(rewrite -> rewrite.filters().stream().map(FilterChange::fppAfter))
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null));
  }

  /** Returns the sums over all files. */
  private Report report(List<Done> done) {
    List<ParquetRewrite> rewrites = done.stream().map(Done::rewrite).toList();
    Report facts = new Report();
    addSums(facts, rewrites);
    long before = (Long) facts.fields().get("bytesBefore");
    long after = (Long) facts.fields().get("bytesAfter");
    long skipped = done.stream().filter(Done::isSkipped).count();
    facts
        .add(
            "files",
            done.size(),
            dryRun
                ? "nothing is written"
                : skipped == 0 ? "" : Prose.count(skipped) + " needed nothing")
        .add(
            "bytes",
            after,
            Prose.format(
                "before: %,d (%+.1f %%)",
                before, before == 0 ? 0 : 100.0 * (after - before) / before))
        .add(
            dryRun ? "would " + spec.name() : "filters " + changedName(),
            String.valueOf(facts.fields().get(changedName())),
            "of " + facts.fields().get("filters"));
    if (facts.fields().get("highestFpp") instanceof Double highest) {
      facts.add("highest rate", highest);
    }
    List<FilterChange> grown =
        rewrites.stream()
            .flatMap(rewrite -> rewrite.filters().stream())
            .filter(change -> change.bytesBefore() > 0)
            .filter(change -> change.bytesAfter() > change.bytesBefore())
            .toList();
    if (!grown.isEmpty()) {
      facts.add(
          "resized",
          grown.size(),
          ("odd sizes that could not shrink became the next power of two; mean "
                  + "rate %s, before %s")
              .formatted(
                  Prose.shortRate(mean(grown, FilterChange::fppAfter)),
                  Prose.shortRate(mean(grown, FilterChange::fppBefore))));
    }
    return facts;
  }

  private static double mean(List<FilterChange> changes, ToDoubleFunction<FilterChange> rate) {
    return changes.stream().mapToDouble(rate).average().orElse(Double.NaN);
  }
}

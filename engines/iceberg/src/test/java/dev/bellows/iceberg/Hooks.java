package dev.bellows.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.OutputFile;

/** The operations of a table, with an interruption where another process would interfere. */
final class Hooks implements TableOperations {
  /** What another process does. */
  @FunctionalInterface
  interface Action {
    /** Interferes, for the nth time, from 1. */
    void run(int time) throws IOException;

    /** Interferes once only. */
    static Action once(IoRunnable action) {
      return time -> {
        if (time == 1) {
          action.run();
        }
      };
    }
  }

  /** A step of a test. */
  @FunctionalInterface
  interface IoRunnable {
    void run() throws IOException;
  }

  private final TableOperations own;
  private final Action beforeWrite;
  private final Action beforeCommit;
  private final Action afterCommit;
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger commits = new AtomicInteger();

  private Hooks(TableOperations own, Action beforeWrite, Action beforeCommit, Action afterCommit) {
    this.own = own;
    this.beforeWrite = beforeWrite;
    this.beforeCommit = beforeCommit;
    this.afterCommit = afterCommit;
  }

  /** Before a data file is written. */
  static Hooks beforeWrite(TableOperations own, Action action) {
    return new Hooks(own, action, time -> {}, time -> {});
  }

  /** Between the validation of a commit and the commit itself. */
  static Hooks beforeCommit(TableOperations own, Action action) {
    return new Hooks(own, time -> {}, action, time -> {});
  }

  /** When the table has been changed. */
  static Hooks afterCommit(TableOperations own, Action action) {
    return new Hooks(own, time -> {}, time -> {}, action);
  }

  private static void run(Action action, AtomicInteger times) {
    try {
      action.run(times.incrementAndGet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void commit(TableMetadata base, TableMetadata metadata) {
    int time = commits.get();
    run(beforeCommit, commits);
    own.commit(base, metadata);
    run(afterCommit, new AtomicInteger(time));
  }

  /** The table's files; those of data are written after an interruption. */
  private record HookedIo(FileIO own, Action beforeWrite, AtomicInteger writes) implements FileIO {
    @Override
    public OutputFile newOutputFile(String location) {
      if (location.contains("-fold-")) {
        Hooks.run(beforeWrite, writes);
      }
      return own.newOutputFile(location);
    }

    @Override
    public InputFile newInputFile(String location) {
      return own.newInputFile(location);
    }

    @Override
    public InputFile newInputFile(String location, long length) {
      return own.newInputFile(location, length);
    }

    @Override
    public void deleteFile(String location) {
      own.deleteFile(location);
    }
  }

  @Override
  public FileIO io() {
    return new HookedIo(own.io(), beforeWrite, writes);
  }

  @Override
  public TableMetadata current() {
    return own.current();
  }

  @Override
  public TableMetadata refresh() {
    return own.refresh();
  }

  @Override
  public EncryptionManager encryption() {
    return own.encryption();
  }

  @Override
  public String metadataFileLocation(String name) {
    return own.metadataFileLocation(name);
  }

  @Override
  public LocationProvider locationProvider() {
    return own.locationProvider();
  }

  @Override
  public TableOperations temp(TableMetadata uncommitted) {
    return own.temp(uncommitted);
  }

  @Override
  public long newSnapshotId() {
    return own.newSnapshotId();
  }
}

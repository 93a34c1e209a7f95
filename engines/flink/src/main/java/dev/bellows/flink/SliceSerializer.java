package dev.bellows.flink;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Slices in state and checkpoints. Slices are mutable: Flink's heap state makes a {@link #copy} of
 * one that a checkpoint is still writing before it hands it out.
 */
final class SliceSerializer extends TypeSerializer<Slice> {
  private static final long serialVersionUID = 1L;

  private final Settings settings;

  SliceSerializer(Settings settings) {
    this.settings = settings;
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<Slice> duplicate() {
    return this;
  }

  @Override
  public Slice createInstance() {
    return new Slice(settings);
  }

  @Override
  public Slice copy(Slice from) {
    return from.copy();
  }

  @Override
  public Slice copy(Slice from, Slice reuse) {
    return from.copy();
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(Slice slice, DataOutputView out) throws IOException {
    slice.writeTo(out);
  }

  @Override
  public Slice deserialize(DataInputView in) throws IOException {
    return Slice.read(settings, in);
  }

  @Override
  public Slice deserialize(Slice reuse, DataInputView in) throws IOException {
    return deserialize(in);
  }

  @Override
  public void copy(DataInputView in, DataOutputView out) throws IOException {
    deserialize(in).writeTo(out);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SliceSerializer serializer && settings.equals(serializer.settings);
  }

  @Override
  public int hashCode() {
    return settings.hashCode();
  }

  @Override
  public TypeSerializerSnapshot<Slice> snapshotConfiguration() {
    return new Snapshot(settings);
  }

  /**
   * The settings that slices were written with. Flink finds this class by its name in a savepoint
   * and creates it without arguments: name and constructor belong to version 1 and stay.
   */
  public static final class Snapshot implements TypeSerializerSnapshot<Slice> {
    private static final int VERSION = 1;

    private @Nullable Written written;

    /** What of the settings is written: the secret itself is not. */
    private record Written(
        long window, long lateness, double fpp, int slices, int scheme, long identity) {
      private static Written of(Settings settings) {
        return new Written(
            settings.window(),
            settings.lateness(),
            settings.fpp(),
            settings.slices(),
            settings.scheme().id(),
            settings.scheme().identity());
      }
    }

    /** For Flink, which then calls {@link #readSnapshot}. */
    public Snapshot() {}

    private Snapshot(Settings settings) {
      this.written = Written.of(settings);
      this.settings = settings;
    }

    /** Present in a snapshot of a running job. */
    private @Nullable Settings settings;

    @Override
    public int getCurrentVersion() {
      return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
      Written its = Objects.requireNonNull(written, "a snapshot that was not read");
      out.writeLong(its.window);
      out.writeLong(its.lateness);
      out.writeDouble(its.fpp);
      out.writeInt(its.slices);
      out.writeInt(its.scheme);
      out.writeLong(its.identity);
    }

    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
      if (version != VERSION) {
        throw new IOException(
            "state of version %d, and this is bellows-flink for version %d: use a newer one"
                .formatted(version, VERSION));
      }
      written =
          new Written(
              in.readLong(),
              in.readLong(),
              in.readDouble(),
              in.readInt(),
              in.readInt(),
              in.readLong());
    }

    /** A serializer that reads what was written, e.g. for Flink's State Processor API. */
    @Override
    public TypeSerializer<Slice> restoreSerializer() {
      if (settings == null) {
        Written its = Objects.requireNonNull(written, "a snapshot that was not read");
        settings = new Settings(its.window, its.lateness, its.fpp, its.slices, new byte[0]);
      }
      return new SliceSerializer(settings);
    }

    /** Compatible with the same settings only; otherwise says which of them differ. */
    @Override
    public TypeSerializerSchemaCompatibility<Slice> resolveSchemaCompatibility(
        TypeSerializerSnapshot<Slice> old) {
      if (!(old instanceof Snapshot snapshot)) {
        return TypeSerializerSchemaCompatibility.incompatible();
      }
      Written then = Objects.requireNonNull(snapshot.written, "a snapshot that was not read");
      Written now = Objects.requireNonNull(written, "a snapshot that was not read");
      List<String> differences = new ArrayList<>();
      compare(differences, "within", Duration.ofMillis(then.window), Duration.ofMillis(now.window));
      compare(
          differences,
          "allowedLateness",
          Duration.ofMillis(then.lateness),
          Duration.ofMillis(now.lateness));
      compare(differences, "fpp", then.fpp, now.fpp);
      compare(differences, "slices", then.slices, now.slices);
      compare(
          differences,
          "hash",
          new Hash(then.scheme, then.identity),
          new Hash(now.scheme, now.identity));
      if (!differences.isEmpty()) {
        throw new IllegalStateException(
            "the state of this de-duplication was written with other settings: %s; restore it with those, or give the operator another uid and run both for one window (docs/de-duplicate-a-stream.md)"
                .formatted(String.join(", ", differences)));
      }
      return TypeSerializerSchemaCompatibility.compatibleAsIs();
    }

    private record Hash(int scheme, long identity) {}

    private static void compare(List<String> differences, String name, Object then, Object now) {
      if (!then.equals(now)) {
        differences.add("%s was %s and is %s".formatted(name, then, now));
      }
    }
  }
}

package dev.bellows.kafka.streams;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The way to the changelog by Kafka's public API: a key-value store that holds nothing. Wrapped by
 * the builder of key-value stores, what is put into it is sent to the changelog; what was sent
 * comes back to the callback when the store is restored.
 */
final class LogStore implements KeyValueStore<Bytes, byte[]> {
  private final String name;
  private final Consumer<Collection<KeyValue<byte[], byte[]>>> restore;
  private boolean isOpen;

  private LogStore(String name, Consumer<Collection<KeyValue<byte[], byte[]>>> restore) {
    this.name = name;
    this.restore = restore;
  }

  /** Makes such stores. */
  record Supplier(String name, Consumer<Collection<KeyValue<byte[], byte[]>>> restore)
      implements KeyValueBytesStoreSupplier {
    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return new LogStore(name, restore);
    }

    @Override
    public String metricsScope() {
      return "window-filter";
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    context.register(root, (BatchingStateRestoreCallback) restore::accept);
    isOpen = true;
  }

  @Override
  public void put(Bytes key, byte @Nullable [] value) {}

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {}

  @Override
  public byte @Nullable [] putIfAbsent(Bytes key, byte @Nullable [] value) {
    return null;
  }

  @Override
  public byte @Nullable [] delete(Bytes key) {
    return null;
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    return null;
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    return all();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    throw new UnsupportedOperationException(
        "the hashes of the store %s cannot be listed".formatted(name));
  }

  @Override
  public long approximateNumEntries() {
    return 0;
  }

  @Override
  public Position getPosition() {
    return Position.emptyPosition();
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public void close() {
    isOpen = false;
  }
}

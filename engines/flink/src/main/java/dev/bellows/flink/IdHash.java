package dev.bellows.flink;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.UUID;
import org.apache.flink.api.java.functions.KeySelector;

/**
 * The hash of an event's id.
 *
 * @param <E> the events
 */
final class IdHash<E> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final KeySelector<E, ?> id;
  private final Deduplicate.Hasher<Object> hasher;
  private final Settings settings;
  private transient HashScheme scheme;

  IdHash(KeySelector<E, ?> id, Deduplicate.Hasher<Object> hasher, Settings settings) {
    this.id = id;
    this.hasher = hasher;
    this.settings = settings;
    this.scheme = settings.scheme();
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    scheme = settings.scheme();
  }

  long of(E event) throws Exception {
    Object key = id.getKey(event);
    if (key == null) {
      throw new IllegalArgumentException(
          "the id of an event is null: filter such events before, or give them an id: " + event);
    }
    return hasher.hash(key, scheme);
  }

  /** The hash of an id of one of the types that need no hasher. */
  static long ofAny(Object id, HashScheme scheme) {
    if (id instanceof CharSequence text) {
      return scheme.hash(text);
    } else if (id instanceof Long || id instanceof Integer || id instanceof Short) {
      return scheme.hash(((Number) id).longValue());
    } else if (id instanceof byte[] bytes) {
      return scheme.hash(bytes);
    } else if (id instanceof UUID uuid) {
      return KeyHasher.UUIDS.hash(uuid, scheme);
    }
    throw new IllegalArgumentException(
        "an id of %s: it must be a String, long, int, short, byte[] or UUID; for others, use by(id, hasher)"
            .formatted(id.getClass()));
  }
}

package dev.bellows.internal.kinds;

import dev.bellows.Filter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a serialized stream for a filter of any kind: the bytes of its file. Nothing else
 * of a filter is ever serialized, so that bytes are only ever read by the reader of files, which
 * checks them all.
 */
public final class SerializedFilter implements Serializable {
  private static final long serialVersionUID = 1L;

  private transient @Nullable Filter filter;

  /** The form of a filter. */
  public SerializedFilter(Filter filter) {
    this.filter = filter;
  }

  /** Refuses a stream that has the fields of a filter instead of this form. */
  public static InvalidObjectException refusal() {
    return new InvalidObjectException("a filter is serialized as the bytes of its file only");
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    Filter written = filter;
    if (written == null) {
      throw new NotSerializableException("no filter");
    }
    if (written.stats().hashScheme().isKeyed()) {
      throw new NotSerializableException(
          "a filter with a secret key, which its bytes do not carry: send toBytes(), and read them"
              + " with the key (ReadOptions.withHashScheme)");
    }
    out.defaultWriteObject();
    written.writeTo(out);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    try {
      filter = Filter.readFrom(in, ReadOptions.UNLIMITED);
    } catch (FilterFormatException e) {
      InvalidObjectException refused = new InvalidObjectException(e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private Object readResolve() throws InvalidObjectException {
    if (filter == null) {
      throw refusal();
    }
    return filter;
  }
}

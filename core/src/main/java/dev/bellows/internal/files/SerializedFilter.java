package dev.bellows.internal.files;

import dev.bellows.Filter;
import dev.bellows.io.FilterFormat;
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
 * The serialized form of a filter of any kind: its class and the bytes of its file. Nothing else of
 * a filter is ever serialized, so the bytes are only read by the constant {@code FORMAT} of that
 * class, which checks all of them.
 */
public final class SerializedFilter implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Class<?> type;
  private transient @Nullable Filter filter;

  /** Creates the serialized form of a filter. */
  public SerializedFilter(Filter filter) {
    this.type = filter.getClass();
    this.filter = filter;
  }

  /**
   * Returns the exception for a stream that contains the fields of a filter instead of this form.
   */
  public static InvalidObjectException refusal() {
    return new InvalidObjectException("a filter is only serialized as the bytes of its file");
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    Filter written = filter;
    if (written == null) {
      throw new NotSerializableException("no filter");
    }
    if (written.hashScheme().isKeyed()) {
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
      filter = format(type).readFrom(in, ReadOptions.UNLIMITED);
    } catch (FilterFormatException e) {
      throw refusal(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Returns the format of a class that a stream names; no class other than a filter is initialized.
   */
  private static FilterFormat<?> format(@Nullable Class<?> type) throws InvalidObjectException {
    if (type == null || !Filter.class.isAssignableFrom(type)) {
      throw new InvalidObjectException("not a class of filters: " + type);
    }
    try {
      if (type.getField("FORMAT").get(null) instanceof FilterFormat<?> format
          && format.type() == type) {
        return format;
      }
    } catch (ReflectiveOperationException | NullPointerException e) {
      throw refusal("the class has no format: " + type, e);
    }
    throw new InvalidObjectException("the class has the format of another one: " + type);
  }

  private static InvalidObjectException refusal(String what, Exception cause) {
    InvalidObjectException refused = new InvalidObjectException(what);
    refused.initCause(cause);
    return refused;
  }

  private Object readResolve() throws InvalidObjectException {
    if (filter == null) {
      throw refusal();
    }
    return filter;
  }
}

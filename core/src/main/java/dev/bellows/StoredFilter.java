package dev.bellows;

import dev.bellows.internal.files.SerializedFilter;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;

/** The base class of all kinds, whose serialized form is their file format; see {@link Filter}. */
public abstract class StoredFilter implements Filter, Serializable {
  private static final long serialVersionUID = 1L;

  /** Only for the filters of this library. */
  protected StoredFilter() {}

  /** Returns the serialized form. */
  protected final Object writeReplace() {
    return new SerializedFilter(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }

  private void readObjectNoData() throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }
}

package dev.bellows.spark.internal;

import dev.bellows.Membership;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The query of one expression, in the forms that generated code calls. Remembers the filter of the
 * row before: if the next one is the same array, nothing is compared; otherwise it is compared with
 * this filter only.
 */
public final class Probe implements Serializable {
  private static final long serialVersionUID = 1;

  /** A filter and the array it came as, together: a probe may be shared by threads. */
  private static final class Last {
    final byte[] bytes;
    final Membership filter;

    Last(byte[] bytes, Membership filter) {
      this.bytes = bytes;
      this.filter = filter;
    }
  }

  private final KeyType type;
  private transient @Nullable Last last;

  Probe(KeyType type) {
    this.type = type;
  }

  private Membership filter(byte[] bytes) {
    Last known = last;
    if (known == null || (known.bytes != bytes && !Arrays.equals(known.bytes, bytes))) {
      known = new Last(bytes, SharedFilter.of(bytes).filter());
      last = known;
    }
    return known.filter;
  }

  public boolean mightContain(byte[] filter, long value) {
    return filter(filter).mightContain(value);
  }

  public boolean mightContain(byte[] filter, double value) {
    Membership membership = filter(filter);
    return membership.mightContainHash(membership.hashScheme().hash(value));
  }

  public boolean mightContain(byte[] filter, byte[] value) {
    return filter(filter).mightContain(value);
  }

  public boolean mightContain(byte[] filter, UTF8String value) {
    Membership membership = filter(filter);
    return membership.mightContainHash(KeyType.hash(value, membership.hashScheme()));
  }

  public boolean mightContain(byte[] filter, Decimal value) {
    Membership membership = filter(filter);
    return membership.mightContainHash(KeyType.hash(value, membership.hashScheme()));
  }

  public boolean mightContain(byte[] filter, InternalRow value) {
    Membership membership = filter(filter);
    return membership.mightContainHash(type.hash(value, membership.hashScheme()));
  }

  /** Returns whether a field of the struct is null, so that the answer is null. */
  public boolean hasNull(InternalRow value) {
    return type.hasNull(value);
  }

  /** The answer about any value; null about a struct with a null field. */
  @Nullable Boolean ask(byte[] filter, Object value) {
    if (type.hasNull(value)) {
      return null;
    }
    Membership membership = filter(filter);
    return membership.mightContainHash(type.hash(value, membership.hashScheme()));
  }
}

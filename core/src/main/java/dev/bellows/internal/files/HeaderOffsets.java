package dev.bellows.internal.files;

import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;

/**
 * The offsets of the fields of a header, for error messages.
 *
 * @param fields the offset of a field
 * @param numbers the offset of a parameter or, after the last one, of a section length
 */
record HeaderOffsets(ToLongFunction<Field> fields, IntToLongFunction numbers) {
  /** The fields before the parameters, in the order of {@link CompactForm}. */
  enum Field {
    KIND,
    SCHEME,
    KEY_TYPE,
    IDENTITY,
    FILTER_ID,
    PARAMETER_COUNT,
    SECTION_COUNT,
    STATE
  }

  long of(Field field) {
    return fields.applyAsLong(field);
  }

  long number(int index) {
    return numbers.applyAsLong(index);
  }
}

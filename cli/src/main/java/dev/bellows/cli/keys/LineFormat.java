package dev.bellows.cli.keys;

import org.jspecify.annotations.Nullable;

/**
 * Where the key of a line or record is.
 *
 * @param delimiter what separates columns
 * @param field the column of the key, counted from 1, or its name in the first line; null for the
 *     whole line
 * @param hasHeader whether the first line of an input names the columns and is not a key
 * @param maxLength the most bytes of a line, at most {@link Lines#MAX_LENGTH}
 */
record LineFormat(byte[] delimiter, @Nullable String field, boolean hasHeader, int maxLength) {}

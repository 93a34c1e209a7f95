package dev.bellows.parquet;

import org.jspecify.annotations.Nullable;

/**
 * What happens to the filter of one column chunk.
 *
 * @param rowGroup the number of its row group, from 0
 * @param column the path of its column, with dots
 * @param bytesBefore its length in the file before, with its header; 0 for one that is added
 * @param bytesAfter its length in the file after; 0 for one that is dropped
 * @param fppBefore its rate before, if there was one
 * @param fppAfter its rate after, if there is one
 */
public record FilterChange(
    int rowGroup,
    String column,
    long bytesBefore,
    long bytesAfter,
    @Nullable Double fppBefore,
    @Nullable Double fppAfter) {}

/** Bellows on Apache Spark: SQL functions and a filter before a join. */
@NullMarked
package dev.bellows.spark;

import org.jspecify.annotations.NullMarked;

/**
 * Bellows on Apache Spark: SQL functions and a filter before a join. Works on the class path only:
 * the names of Spark's own artifacts, such as {@code spark-sql_2.13}, are not valid module names.
 */
@NullMarked
package dev.bellows.spark;

import org.jspecify.annotations.NullMarked;

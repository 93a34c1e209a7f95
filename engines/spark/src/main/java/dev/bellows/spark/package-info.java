/**
 * Bellows on Apache Spark: SQL functions, and filters before joins.
 *
 * <ul>
 *   <li>{@link dev.bellows.spark.BellowsExtensions}, as {@code spark.sql.extensions}, adds the
 *       functions ({@code bellows_agg}, {@code bellows_might_contain} and others) to every session,
 *       and filters joins in SQL if a setting enables it.
 *   <li>{@link dev.bellows.spark.BellowsFunctions} adds the functions to a session that already
 *       exists.
 *   <li>{@link dev.bellows.spark.BloomJoin} drops rows without a partner before a join shuffles
 *       them.
 * </ul>
 *
 * <p>Works on the class path only: the names of Spark's own artifacts, such as {@code
 * spark-sql_2.13}, are not valid module names.
 */
@NullMarked
package dev.bellows.spark;

import org.jspecify.annotations.NullMarked;

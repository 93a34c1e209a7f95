/**
 * Not API: the expressions behind the SQL functions, and the filters of joins. Types are public
 * only where code that Spark generates calls them.
 *
 * <ul>
 *   <li>Aggregates: {@code BuildAggregate} collects hashes in a {@code KeyBuffer} (a table, {@code
 *       DistinctHashes}, and sorted gaps, {@code PackedHashes}), and {@code FilterSize} chooses the
 *       size of the filter; {@code UnionAggregate} merges filters.
 *   <li>Expressions: {@code MightContain}, {@code FoldFilter} and {@code DescribeFilter} on a
 *       {@code SharedFilter}, which parses the bytes of a filter once per task.
 *   <li>Joins: {@code JoinRule} and {@code JoinFilter} plan a filter, {@code JoinEstimate} decides
 *       whether it can pay off, {@code MayMatch} queries it, and {@code Watch} stops querying it if
 *       it drops too little.
 *   <li>{@code KeyType} hashes Spark's values as the rest of the library does; {@code SparkApi} is
 *       everything that differs between versions of Spark.
 * </ul>
 */
@NullMarked
package dev.bellows.spark.internal;

import org.jspecify.annotations.NullMarked;

/**
 * Publishes the statistics of filters to a Micrometer registry, for monitoring in production.
 *
 * <pre>{@code
 * FilterMetrics.of("customers", filter).warnAbove(0.02).bindTo(registry);
 * DurableMetrics.of("seen", durable).bindTo(registry);
 * }</pre>
 *
 * <p>{@link dev.bellows.metrics.FilterMetrics} works for every kind of filter: size, fill, expected
 * false positive rate, and whether the filter is saturated. {@link
 * dev.bellows.metrics.DurableMetrics} adds what only a durable filter has: its journal and
 * snapshots. Meters are read by the registry; nothing here runs in the background or slows down
 * puts and queries.
 */
@NullMarked
package dev.bellows.metrics;

import org.jspecify.annotations.NullMarked;

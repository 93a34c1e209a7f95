/**
 * Filters whose keys expire: "have I seen this within the last 24 hours?"
 *
 * <p>{@link dev.bellows.window.WindowFilter} is the only filter here, over one of two stores. Both
 * cut time into <b>generations</b>, each a G-th of the <b>window</b> T, counted from the epoch:
 *
 * <pre>
 *                       clock
 *   time ----+-------+-------+---v---+-------&gt;
 *            |  C-3  |  C-2  |  C-1  |   C          G = 3: four generations are live,
 *            +-------+-------+-------+-------+      C is being filled, C-4 has expired
 * </pre>
 *
 * <p>A key that is put at time t is found while the clock is in [t, t + T), and has expired when
 * the clock reaches t + T (1 + 1/G). The caller moves the clock; the system time is never read.
 *
 * <dl>
 *   <dt>ring
 *   <dd>the store if the number of keys is known: G + 1 BLOCKED filters of one size with
 *       interleaved bits, so that one lookup answers for all generations ({@code RingStore},
 *       planned by {@link dev.bellows.window.WindowPlan}).
 *   <dt>prefixes
 *   <dd>the store if the number of keys is unknown: the table of {@code FingerprintFilter} with the
 *       generation as a tag of each prefix, which grows and shrinks by itself ({@code
 *       PrefixWindow}).
 *   <dt>rotation
 *   <dd>the step of the clock into the next generation. It changes a few fields; expired content is
 *       cleared afterwards, in small steps, as part of puts.
 * </dl>
 *
 * <p>Start reading with {@code WindowFilter}, then {@code RingStore}.
 */
@NullMarked
package dev.bellows.window;

import org.jspecify.annotations.NullMarked;

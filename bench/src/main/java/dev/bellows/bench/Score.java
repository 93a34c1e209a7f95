package dev.bellows.bench;

import dev.bellows.bench.peers.Peer;

/**
 * How a contender did in an operation.
 *
 * @param operation its name
 * @param peer the contender
 * @param sample nanoseconds per key, or per KiB moved
 * @param garbage bytes allocated per operation; NaN where unknown
 */
record Score(String operation, Peer peer, Sample sample, double garbage) {}

package dev.bellows;

import dev.bellows.io.FilterKind;
import dev.bellows.plan.Layout;

/**
 * The numbers of one filter, as they are now.
 *
 * @param kind what it is
 * @param layout how keys choose bits
 * @param bits its size, m
 * @param hashes bits per key, k
 * @param hashScheme how keys become hashes
 * @param ones bits that are one
 * @param fill ones per bit
 * @param approximateKeys the number of distinct keys its bits speak of
 * @param expectedFpp the rate at which outsiders pass, from the real fill
 * @param bytes the length of its file
 */
public record FilterStats(
    FilterKind kind,
    Layout layout,
    long bits,
    int hashes,
    HashScheme hashScheme,
    long ones,
    double fill,
    double approximateKeys,
    double expectedFpp,
    long bytes) {}

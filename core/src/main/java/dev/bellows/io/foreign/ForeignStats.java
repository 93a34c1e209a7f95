package dev.bellows.io.foreign;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of one foreign filter.
 *
 * @param format whose it is
 * @param variant which of the library's ways to choose bits
 * @param seed the seed of its hashes, null where the library has none
 * @param bits its size
 * @param hashes bits per key
 * @param ones bits that are one
 * @param fill ones per bit
 * @param approximateKeys the number of distinct keys its bits speak of
 * @param expectedFpp the rate at which outsiders pass, from the real fill
 * @param bytes the length of its file
 */
public record ForeignStats(
    ForeignFormat format,
    String variant,
    @Nullable Integer seed,
    long bits,
    int hashes,
    long ones,
    double fill,
    double approximateKeys,
    double expectedFpp,
    long bytes) {}

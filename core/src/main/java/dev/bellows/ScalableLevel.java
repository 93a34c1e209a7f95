package dev.bellows;

/**
 * One level of a {@link ScalableBloomFilter}, as it is now.
 *
 * @param index which of the plan's levels it is, from 0
 * @param bits its size
 * @param capacity the most keys it takes
 * @param keys the keys it has taken
 * @param expectedFpp the rate at which outsiders pass it, from its real fill
 */
public record ScalableLevel(int index, long bits, long capacity, long keys, double expectedFpp) {}

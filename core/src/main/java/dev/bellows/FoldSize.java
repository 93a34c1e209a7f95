package dev.bellows;

/**
 * One step of a ladder: a size a filter can fold to.
 *
 * @param bits the folded size
 * @param factor what the filter folds by to reach it
 * @param expectedFpp the rate expected there, from the filter's real fill
 */
public record FoldSize(long bits, long factor, double expectedFpp) {}

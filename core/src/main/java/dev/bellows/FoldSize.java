package dev.bellows;

/**
 * One step of a ladder: a size a filter can fold to.
 *
 * @param bits the folded size
 * @param factor the fold factor that leads to it
 * @param expectedFpp the false positive rate to expect there, from the filter's real fill
 */
public record FoldSize(long bits, long factor, double expectedFpp) {}

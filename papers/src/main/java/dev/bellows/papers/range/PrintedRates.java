package dev.bellows.papers.range;

/** The rates and numbers of hash functions that Table 4-1 prints, for n = 100, 200, ... 1000. */
final class PrintedRates {
  static final String[] EIGHT = {
    "4.85e-5", "1.99e-4", "2.75e-4", "4.17e-4", "5.14e-4", "6.5e-4", "7.56e-4", "8.93e-4", "0.001",
    "0.0011"
  };
  static final String[] TWELVE = {
    "2.78e-5", "1.06e-4", "2.51e-4", "3.19e-4", "4.02e-4", "5.41e-4", "6.2e-4", "7.17e-4",
    "8.52e-4", "9.43e-4"
  };
  static final String[] OPTIMAL = {
    "2.65e-5", "1.05e-4", "1.77e-4", "3.19e-4", "3.91e-4", "4.72e-4", "5.63e-4", "6.97e-4",
    "7.85e-4", "8.82e-4"
  };
  static final int[] OPTIMAL_HASHES = {14, 13, 18, 18, 15, 17, 19, 15, 16, 18};

  private PrintedRates() {}
}

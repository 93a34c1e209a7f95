package dev.bellows.cli.verbs;

import dev.bellows.Foldable.FoldSize;
import java.util.ArrayList;
import java.util.List;

/** The steps of a ladder that a person looks for: from the filter's own rate up to one half. */
public final class ShortLadder {
  /** The maximum number of steps that are shown. */
  public static final int MOST = 10;

  /** Above this rate a filter is of little use. */
  private static final double USELESS = 0.5;

  private ShortLadder() {}

  /**
   * At most ten of the sizes, ascending: the unfolded one, the smallest useful one, and between
   * them sizes at about equal ratios.
   */
  public static List<FoldSize> of(List<FoldSize> ladder) {
    if (ladder.isEmpty()) {
      return ladder;
    }
    FoldSize own = ladder.get(ladder.size() - 1);
    List<FoldSize> useful =
        ladder.stream()
            .filter(size -> size.expectedFpp() <= USELESS || size.factor() == own.factor())
            .toList();
    if (useful.size() <= MOST) {
      return useful;
    }
    List<FoldSize> chosen = new ArrayList<>();
    double ratio = (double) own.bits() / useful.get(0).bits();
    int next = 0;
    for (int step = 0; step < MOST; step++) {
      double ideal = useful.get(0).bits() * Math.pow(ratio, (double) step / (MOST - 1));
      // the remaining sizes must suffice for the remaining steps
      int last = useful.size() - (MOST - step);
      while (next < last && useful.get(next + 1).bits() <= ideal) {
        next++;
      }
      chosen.add(useful.get(next++));
    }
    chosen.set(MOST - 1, own);
    return chosen;
  }
}

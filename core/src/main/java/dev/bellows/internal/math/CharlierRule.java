package dev.bellows.internal.math;

/**
 * A Gauss quadrature for the Poisson distribution: {@code SUM weights_i g(nodes_i)} approximates
 * the mean of g over a Poisson variable, and is exact for polynomials of a degree up to twice the
 * number of nodes minus one.
 *
 * <p>The orthogonal polynomials are those of Charlier; in monic form, {@code p_(j+1)(x) = (x - j -
 * mean) p_j(x) - j mean p_(j-1)(x)}. Their zeros are the eigenvalues of the symmetric tridiagonal
 * matrix with diagonal {@code j + mean} and off-diagonal {@code sqrt(j mean)}, found by bisection
 * on the number of negative pivots; the weight of a zero is the squared first component of its
 * eigenvector.
 */
final class CharlierRule {
  final double[] nodes;
  final double[] weights;

  /** A mean below which the variable is 0 within the precision of doubles. */
  private static final double VANISHING = 1e-25;

  CharlierRule(double mean, int wanted) {
    int count = mean < VANISHING ? 1 : wanted;
    nodes = new double[count];
    weights = new double[count];
    double top = count + mean + 2 * Math.sqrt(count * mean) + 1;
    for (int i = 0; i < count; i++) {
      double low = -1e-9;
      double high = top;
      for (int step = 0; step < 200 && high - low > 1e-15 * high; step++) {
        double middle = (low + high) / 2;
        if (zerosBelow(middle, mean, count) > i) {
          high = middle;
        } else {
          low = middle;
        }
      }
      nodes[i] = Math.max(0, (low + high) / 2);
      weights[i] = weight(nodes[i], mean, count);
    }
  }

  private static int zerosBelow(double x, double mean, int count) {
    int below = 0;
    double pivot = 1;
    for (int j = 0; j < count; j++) {
      pivot = notZero(j + mean - x - (j == 0 ? 0 : j * mean / pivot));
      below += pivot < 0 ? 1 : 0;
    }
    return below;
  }

  /**
   * Returns the squared first component of the unit eigenvector. Pivots are computed from both ends
   * of the matrix and joined where the eigenvector is large, which is stable even if the nodes are
   * very close to integers.
   */
  private static double weight(double x, double mean, int count) {
    double[] down = new double[count];
    double[] up = new double[count];
    for (int j = 0; j < count; j++) {
      down[j] = notZero(j + mean - x - (j == 0 ? 0 : j * mean / down[j - 1]));
    }
    for (int j = count - 1; j >= 0; j--) {
      up[j] = notZero(j + mean - x - (j == count - 1 ? 0 : (j + 1) * mean / up[j + 1]));
    }
    int meet = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int j = 0; j < count; j++) {
      double gap = Math.abs(down[j] + up[j] - (j + mean - x));
      if (gap < least) {
        least = gap;
        meet = j;
      }
    }
    double first = 1;
    double squares = 1;
    double component = 1;
    for (int j = meet + 1; j < count; j++) {
      component *= -Math.sqrt(j * mean) / up[j];
      squares += component * component;
    }
    for (int j = meet - 1; j >= 0; j--) {
      first *= -Math.sqrt((j + 1) * mean) / down[j];
      squares += first * first;
    }
    return first * first / squares;
  }

  private static double notZero(double pivot) {
    return pivot == 0 ? -Double.MIN_NORMAL : pivot;
  }
}

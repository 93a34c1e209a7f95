package dev.bellows.plan;

/**
 * A Gauss quadrature for the Poisson distribution: {@code SUM weights_i g(nodes_i)} is the mean of
 * g over a Poisson variable, exactly so for polynomials of degree up to twice the nodes minus one.
 *
 * <p>The orthogonal polynomials are those of Charlier; in monic form {@code p_(j+1)(x) = (x - j -
 * mean) p_j(x) - j mean p_(j-1)(x)}. Their zeros are the eigenvalues of the symmetric tridiagonal
 * matrix with diagonal {@code j + mean} and off-diagonal {@code sqrt(j mean)}, found by bisection
 * on the number of negative pivots; the weight of a zero is one over the sum of the squared
 * orthonormal polynomials there.
 */
final class CharlierRule {
  final double[] nodes;
  final double[] weights;

  CharlierRule(double mean, int count) {
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
      pivot = j + mean - x - (j == 0 ? 0 : j * mean / pivot);
      if (pivot == 0) {
        pivot = -Double.MIN_NORMAL;
      }
      below += pivot < 0 ? 1 : 0;
    }
    return below;
  }

  private static double weight(double x, double mean, int count) {
    double before = 0;
    double current = 1;
    double squares = 1;
    for (int j = 0; j + 1 < count; j++) {
      double next =
          ((x - j - mean) * current - Math.sqrt(j * mean) * before) / Math.sqrt((j + 1) * mean);
      before = current;
      current = next;
      squares += current * current;
    }
    return 1 / squares;
  }
}

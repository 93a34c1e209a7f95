package dev.bellows.papers.folding;

import dev.bellows.internal.math.CompositeNumbers;
import dev.bellows.internal.math.Divisors;
import dev.bellows.papers.Item;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Folding paper, Table III: the largely composite numbers, complete. */
final class LargelyComposite extends Item {
  /** As printed, row by row; a star marks a superior highly composite number. */
  private static final String PRINTED =
      """
      *2 3 4 *6 8 10 *12 18 20 24 30 36 48 *60
      72 84 90 96 108 *120 168 180 240 *360 420 480 504 540
      600 630 660 672 720 840 1080 1260 1440 1680 7560 9240 10080 12600
      13860 15120 18480 20160 25200 27720 30240 32760 36960 37800 40320 41580 42840 43680
      45360 50400 *55440 65520 75600 83160 98280 110880 131040 138600 151200 163800 166320 196560
      """;

  /** The number up to which the text counts. */
  private static final long LIMIT = 831_600;

  private static final long LAST_PRINTED = 196_560;

  LargelyComposite() {
    super(
        "000/table-3",
        "Table III: largely composite numbers",
        """
        A largely composite number has at least as many divisors as every smaller number, which
        makes it a good size for a filter that will be folded. Table III lists 70 of them up to
        196560. All are correct, but twelve are missing, among them 2520 and 5040, and with them two
        stars (F13). The text says that 11 of the numbers below 831600 are highly composite; there
        are 38, and 10 superior ones, which the stars denote. The CSV has the complete list up to
        831600.\
        """);
  }

  @Override
  protected void fill() {
    Map<Long, Boolean> printed = printed();
    int[] divisorsOf = divisors();
    long[] largely = leading(divisorsOf, 0);
    long[] highly = CompositeNumbers.highly(LIMIT);
    long[] rivals = CompositeNumbers.highly(50 * LIMIT);
    long[] superior = Arrays.stream(largely).filter(n -> isSuperior(n, rivals)).toArray();
    columns("number, divisors, factors, printed, star, highly, superior");
    Chart chart =
        chart(
            "Divisors of largely composite numbers, printed and missing",
            "Largely composite numbers up to 831600",
            Axis.log("number").between(1, 1e6),
            Axis.log("divisors"));
    Points records = chart.curve("highly composite", 6);
    Points listed = chart.points("in Table III", 0);
    Points missing = chart.marks("missing there", 1);
    for (long number : largely) {
      long divisors = divisorsOf[(int) number];
      boolean inTable = printed.containsKey(number);
      boolean isSuperior = has(superior, number);
      row(
          number,
          divisors,
          factors(number),
          inTable ? 1 : 0,
          inTable && printed.get(number) ? 1 : 0,
          has(highly, number) ? 1 : 0,
          isSuperior ? 1 : 0);
      if (has(highly, number)) {
        records.add(number, divisors);
      }
      if (number <= LAST_PRINTED) {
        (inTable ? listed : missing).add(number, divisors);
        if (inTable) {
          listed(largely, number, divisors);
        } else {
          missing(number);
        }
      }
      if (isSuperior) {
        star(number, inTable && printed.get(number));
      }
    }
    counts(printed, largely, highly, leading(divisorsOf, 1), superior);
  }

  private void counts(
      Map<Long, Boolean> printed, long[] largely, long[] highly, long[] records, long[] superior) {
    long below = Arrays.stream(largely).filter(n -> n <= LAST_PRINTED).count();
    number("count/listed", "largely composite numbers up to 196560")
        .printed(printed.size(), 0)
        .formula(below)
        .erratum("F13");
    number("count/highly", "highly composite numbers below 831600")
        .printed("11")
        .formula(Arrays.stream(highly).filter(n -> n < LIMIT).count())
        .counted(Arrays.stream(records).filter(n -> n < LIMIT).count())
        .erratum("F13");
    number("count/superior", "superior highly composite numbers below 831600")
        .printed(printed.values().stream().filter(star -> star).count(), 0)
        .formula(Arrays.stream(superior).filter(n -> n < LIMIT).count())
        .erratum("F13");
    number("count/largely", "largely composite numbers below 831600")
        .formula(Arrays.stream(largely).filter(n -> n < LIMIT).count())
        .erratum("F13");
  }

  /** The numbers of divisors up to the limit, by a sieve. */
  private static int[] divisors() {
    int[] divisors = new int[(int) LIMIT + 1];
    for (int divisor = 1; divisor <= LIMIT; divisor++) {
      for (int multiple = divisor; multiple <= LIMIT; multiple += divisor) {
        divisors[multiple]++;
      }
    }
    return divisors;
  }

  /** The numbers that lead all smaller ones by at least this many divisors. */
  private static long[] leading(int[] divisors, int lead) {
    LongStream.Builder leading = LongStream.builder();
    int most = 0;
    for (int number = 1; number < divisors.length; number++) {
      if (divisors[number] >= most + lead) {
        most = divisors[number];
        leading.add(number);
      }
    }
    return leading.build().toArray();
  }

  /** Whether d(m) / m^e is the highest at this m for some e > 0, by the slopes of ln d(m). */
  private static boolean isSuperior(long number, long[] rivals) {
    double before = Double.POSITIVE_INFINITY;
    double after = 0;
    for (long rival : rivals) {
      double more = Math.log((double) Divisors.count(rival) / Divisors.count(number));
      double slope = more / Math.log((double) rival / number);
      if (rival < number) {
        before = Math.min(before, slope);
      } else if (rival > number) {
        after = Math.max(after, slope);
      }
    }
    return number > 1 && after < before;
  }

  private void listed(long[] largely, long number, long divisors) {
    long nearest = Arrays.stream(largely).filter(n -> n >= number).findFirst().orElse(-1);
    number(Long.toString(number), "largely composite, %d divisors".formatted(divisors))
        .printed(Long.toString(number))
        .formula(nearest);
  }

  private void missing(long number) {
    number(Long.toString(number), "times that the largely composite %d is listed".formatted(number))
        .printed(0, 0)
        .formula(1)
        .erratum("F13");
  }

  private void star(long number, boolean starred) {
    number("star/" + number, "1 if %d has a star: it is superior".formatted(number))
        .printed(starred ? 1 : 0, 0)
        .formula(1)
        .erratum(starred ? null : "F13");
  }

  private static Map<Long, Boolean> printed() {
    Map<Long, Boolean> numbers = new LinkedHashMap<>();
    for (String cell : PRINTED.strip().split("\\s+")) {
      numbers.put(Long.valueOf(cell.replace("*", "")), cell.startsWith("*"));
    }
    return numbers;
  }

  private static String factors(long number) {
    return Divisors.factorize(number).entrySet().stream()
        .map(e -> e.getValue() == 1 ? "" + e.getKey() : e.getKey() + "^" + e.getValue())
        .collect(Collectors.joining(" "));
  }

  private static boolean has(long[] sorted, long number) {
    return Arrays.binarySearch(sorted, number) >= 0;
  }
}

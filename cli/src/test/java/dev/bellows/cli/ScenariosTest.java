package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The scenarios of the Standard notes, the Partition paper and the Range thesis as runnable
 * programs.
 */
class ScenariosTest {
  private static long number(String output, String pattern) {
    Matcher matcher = Pattern.compile(pattern.replace("#", "([\\d,]+)")).matcher(output);
    assertThat(matcher.find()).as("%s in %s", pattern, output).isTrue();
    return Long.parseLong(matcher.group(1).replace(",", ""));
  }

  @Test
  void cachesFindPagesOfEachOtherBySummariesThatForgetEvictedOnes() throws Exception {
    String output = ExampleRun.of("CacheSummaries");
    assertThat(output).contains("pages that a summary of this moment denies: 0\n");
    long found = number(output, "# from the other cache");
    long inVain = number(output, "# unneeded requests");
    assertThat(found).isGreaterThan(5 * inVain);
    // evicted pages are removed; otherwise the summary would fill up and always say yes
    assertThat(number(output, "# straight to the origin")).isGreaterThan(10 * inVain);
    assertThat(number(output, "a summary takes # bytes"))
        .isLessThan(number(output, "list of its pages #") / 5);
  }

  @Test
  void floodersAreStoppedAndBusySourcesAreNot() throws Exception {
    String output = ExampleRun.of("FloodWatch");
    assertThat(output)
        .contains("more than 20 packets in a minute and not stopped: 0\n")
        .contains("stopped though never above the limit: 0\n")
        .contains("40; stopped: 0; stopped by a table without a window: 40\n")
        .contains("10.0.0.1   <- stopped");
    assertThat(output.lines().filter(line -> line.contains("<- stopped"))).hasSize(8);
    assertThat(number(output, "packets from # sources")).isGreaterThan(40_000);
    assertThat(number(output, "tables of counters: # bytes")).isLessThan(500_000);
  }

  @Test
  void peersThatFitFindOutFromTheFilterAlone() throws Exception {
    String output = ExampleRun.of("ProfileMatching");
    assertThat(output)
        .contains("travels as 64 bytes\n", "age 30 asked alone: maybe\n")
        .contains("age 80 asked alone: no\n");
    long fit = number(output, "peers # fit; missed: 0\n");
    assertThat(fit).isGreaterThan(200);
    assertThat(number(output, "answered without fitting: #")).isLessThan(fit / 4);
  }

  @Test
  void aJoinOfSetsOfUnknownSizeSendsFewUnneededRows() throws Exception {
    String output = ExampleRun.of("DistributedJoin");
    Matcher row =
        Pattern.compile(
                "(?m)^ +# +# +# \\| +# +# +# \\| +# +# \\| +# +#$".replace("#", "([\\d,]+)"))
            .matcher(output);
    List<String> joined = new ArrayList<>();
    while (row.find()) {
      long[] numbers = new long[10];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Long.parseLong(row.group(i + 1).replace(",", ""));
      }
      joined.add(numbers[2] + " of " + numbers[0]);
      long fewer = Math.min(numbers[0], numbers[1]);
      // at most 1 %, and its binomial interval
      assertThat(numbers[5]).as(output).isLessThan(10 + fewer / 80);
      assertThat(numbers[4]).isEqualTo(numbers[2] + numbers[5]);
      // the plain filter is too small or too large for one of the cases
      assertThat(numbers[7]).isGreaterThanOrEqualTo(fewer > 1000 ? fewer / 2 : 0);
      assertThat(numbers[3]).isLessThan(numbers[8] / 15);
    }
    assertThat(joined).containsExactly("50 of 2000", "500 of 5000", "100 of 50000", "0 of 20");
  }

  @Test
  void peersRouteSearchesByViewsAndMissNoHolder() throws Exception {
    String output = ExampleRun.of("PeerRouting");
    assertThat(output).contains("holders missed: 0\n");
    long messages = number(output, "no peer has: # messages");
    long needed = number(output, "needed to reach all holders: #");
    assertThat(messages).isBetween(needed, needed + needed / 20);
    assertThat(10 * messages).isLessThan(number(output, "with flooding: #"));
    assertThat(number(output, "# bytes of views"))
        .isLessThan(number(output, "lists of ids: # bytes") / 2);
    Matcher worst = Pattern.compile("union of views: (\\S+) %").matcher(output);
    assertThat(worst.find()).isTrue();
    assertThat(Double.parseDouble(worst.group(1))).isBetween(0.01, 1.0);
  }

  @Test
  void aSearchForSeveralWordsQueriesFewPeers() throws Exception {
    String output = ExampleRun.of("PeerDirectory");
    assertThat(output)
        .contains("with a document; missed: 0\n")
        .contains("searches with another result than an exact one: 0\n");
    assertThat(number(output, "# of 30,000 peers asked")).isBetween(500L, 6000L);
    assertThat(number(output, ": # bytes of filters"))
        .isLessThan(number(output, "filters, # bytes of words") / 5);
    long filters = number(output, "  # bytes of filters and");
    assertThat(filters + number(output, "filters and # of answers"))
        .isLessThan(number(output, "instead of filters: # in all"));
  }

  @Test
  void aPublishedNumberMatchesAQueriedRange() throws Exception {
    String output = ExampleRun.of("PublishAndAsk");
    assertThat(output.lines().filter(line -> line.contains("10..60 asked: matches"))).hasSize(2);
    assertThat(output.lines().filter(line -> line.contains("missed: 0.00 %"))).hasSize(2);
    List<Double> outside = shares(output, "ages outside that match");
    assertThat(outside).hasSize(2);
    assertThat(outside.get(0)).isGreaterThan(10);
    assertThat(outside.get(1)).isLessThan(1);
  }

  @Test
  void aNetworkOfAddressesFitsInto512Bits() throws Exception {
    String output = ExampleRun.of("AddressRange");
    assertThat(output.lines().filter(line -> line.endsWith("that are missed: 0"))).hasSize(3);
    List<Double> others = shares(output, "other addresses that pass");
    assertThat(others).hasSize(3);
    assertThat(others.get(0)).isGreaterThan(80);
    assertThat(others.subList(1, 3)).allMatch(share -> share < 0.01);
    List<Double> near = shares(output, "next to it that pass");
    assertThat(near.get(1)).isLessThan(3);
    assertThat(near.get(2)).isZero();
  }

  private static List<Double> shares(String output, String words) {
    return Pattern.compile(words + ": (\\S+) %")
        .matcher(output)
        .results()
        .map(found -> Double.parseDouble(found.group(1)))
        .toList();
  }
}

package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The scenarios of documents 001 and 003, as programs that people can run. */
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
    long inVain = number(output, "# asked in vain");
    assertThat(found).isGreaterThan(5 * inVain);
    // evicted pages are removed: without that the summary would be full and ask always
    assertThat(number(output, "# straight to the origin")).isGreaterThan(10 * inVain);
    assertThat(number(output, "a summary takes # bytes"))
        .isLessThan(number(output, "list of its pages #") / 5);
  }

  @Test
  void everyFlooderIsStoppedAndNobodyElse() throws Exception {
    String output = ExampleRun.of("FloodWatch");
    assertThat(output)
        .contains("seen more than 20 times and not stopped: 0\n")
        .contains("stopped though seen less often: 0\n")
        .contains("10.0.0.1   <- stopped");
    assertThat(output.lines().filter(line -> line.contains("<- stopped"))).hasSize(8);
    assertThat(number(output, "packets from # sources")).isGreaterThan(40_000);
    assertThat(number(output, "table of counters: # bytes")).isLessThan(66_000);
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
}

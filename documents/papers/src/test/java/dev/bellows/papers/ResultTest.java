package dev.bellows.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.papers.Result.Builder;
import dev.bellows.papers.Result.Comparison;
import dev.bellows.papers.Result.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a number agrees, when it disagrees, and when it is not compared. */
class ResultTest {
  @TempDir Path folder;

  private static Builder number() {
    return Result.of("000/test/number", "a number");
  }

  private static void assertVerdict(Verdict expected, Builder number) {
    Result result = number.build();
    assertThat(result.verdict()).as(result.toString()).isEqualTo(expected);
    Boolean agrees = result.agrees();
    assertThat(agrees == null)
        .isEqualTo(expected == Verdict.COMPUTED || expected == Verdict.MEASURED);
  }

  @Test
  void aPrintedCountAgreesWithItselfOnly() {
    assertVerdict(Verdict.AGREES, number().printed("1").formula(1));
    assertVerdict(Verdict.AGREES, number().printed("1").counted(1));
    assertVerdict(Verdict.DISAGREES, number().printed("1").counted(2));
    assertVerdict(Verdict.DISAGREES, number().printed("1").formula(2));
    assertVerdict(Verdict.DISAGREES, number().printed("2").formula(1));
    assertVerdict(Verdict.DISAGREES, number().printed("1").formula(1).counted(2));
    assertVerdict(Verdict.DISAGREES, number().printed(1, 0).counted(2));
  }

  @Test
  void printedDigitsAgreeWithWhatRoundsOrCutsToThem() {
    assertVerdict(Verdict.AGREES, number().printed("0.31").formula(0.3149));
    assertVerdict(Verdict.AGREES, number().printed("0.31").formula(0.3199));
    assertVerdict(Verdict.AGREES, number().printed("0.31").formula(0.305));
    assertVerdict(Verdict.DISAGREES, number().printed("0.31").formula(0.3049));
    assertVerdict(Verdict.DISAGREES, number().printed("0.31").formula(0.32));
    assertVerdict(Verdict.DISAGREES, number().printed("0.310").formula(0.312));
    assertVerdict(Verdict.AGREES, number().printed("2.5E-4").formula(2.54e-4));
    assertVerdict(Verdict.DISAGREES, number().printed("2.5E-4").formula(2.7e-4));
    assertVerdict(Verdict.AGREES, number().printed("-0.31").formula(-0.3199));
    assertVerdict(Verdict.DISAGREES, number().printed("-0.31").formula(-0.3049));
  }

  @Test
  void theFormulaMustLieInTheMeasuredInterval() {
    assertVerdict(Verdict.AGREES, number().formula(0.5).measured(5000, 10_000));
    assertVerdict(Verdict.DISAGREES, number().formula(0.6).measured(5000, 10_000));
    assertVerdict(Verdict.DISAGREES, number().printed("0.6").formula(0.6).measured(5000, 10_000));
    assertVerdict(Verdict.CORRECTED, number().formula(0.6).measured(5000, 10_000).erratum("C1"));
    assertVerdict(Verdict.AGREES, number().formula(10).weighed(10.5, 1));
    assertVerdict(Verdict.DISAGREES, number().formula(10).weighed(11.5, 1));
  }

  @Test
  void withoutAFormulaTheIntervalMustHoldThePrintedValue() {
    assertVerdict(Verdict.AGREES, number().printed("0.5").measured(5100, 10_000));
    assertVerdict(Verdict.DISAGREES, number().printed("0.9").measured(5000, 10_000));
    assertVerdict(Verdict.DISAGREES, number().printed(2, 0.5).weighed(3, 0.1));
  }

  @Test
  void boundsAgreeOnTheirSideOnly() {
    assertVerdict(Verdict.AGREES, number().statedAtLeast(1).counted(2));
    assertVerdict(Verdict.DISAGREES, number().statedAtLeast(3).counted(2));
    assertVerdict(Verdict.AGREES, number().statedAtMost(0.01).formula(0.002));
    assertVerdict(Verdict.DISAGREES, number().statedAtMost(0.01).formula(0.0101));
    assertVerdict(Verdict.DISAGREES, number().statedAtMost(0.01).measured(5000, 10_000));
    assertThat(number().statedAtLeast(1).counted(2).build().rule()).isEqualTo("stated, at least");
  }

  @Test
  void aNumberAloneDoesNotAgree() {
    assertVerdict(Verdict.COMPUTED, number().formula(3));
    assertVerdict(Verdict.COMPUTED, number().formula(3).erratum("C1"));
    assertVerdict(Verdict.MEASURED, number().counted(3));
    assertVerdict(Verdict.MEASURED, number().measured(5, 10));
    assertThatThrownBy(() -> number().printed("3").build()).hasMessageContaining("000/test/number");
  }

  @Test
  void comparisonsNameTheirTerms() {
    assertComparison(
        Comparison.PRINTED_AND_MEASURED, number().printed("0.50").formula(0.5).measured(500, 1000));
    assertComparison(Comparison.PRINTED_AND_MEASURED, number().printed("3").counted(3));
    assertComparison(Comparison.PRINTED_AND_COMPUTED, number().printed("3").formula(3));
    assertComparison(Comparison.OWN_FIGURE, number().stated(3, 0).formula(3));
    assertComparison(Comparison.OWN_FIGURE, number().stated(3, 0).counted(3));
    assertComparison(Comparison.OWN_FIGURE, number().formula(0.5).measured(500, 1000));
    assertComparison(null, number().formula(0.5));
  }

  private static void assertComparison(Comparison expected, Builder number) {
    Result result = number.build();
    assertThat(result.comparison()).as(result.toString()).isEqualTo(expected);
    assertThat(result.agrees() == null).isEqualTo(expected == null);
  }

  /** An interval so wide that almost any formula lies in it is not evidence for the formula. */
  @Test
  void imprecisionPreventsComparison() {
    assertVerdict(Verdict.COMPUTED, number().formula(1e-6).measured(0, 100_000));
    assertVerdict(Verdict.COMPUTED, number().formula(1e-4).measured(10, 100_000));
    assertVerdict(Verdict.AGREES, number().formula(1e-2).measured(1000, 100_000));
    assertVerdict(Verdict.DISAGREES, number().formula(0.05).measured(0.51, 0.5, 0.52, 1e-9));
    assertVerdict(Verdict.DISAGREES, number().formula(0.9).measured(0.3, 0.1, 0.5, 1e-9));
    assertVerdict(Verdict.MEASURED, number().printed("0.5").measured(1, 10));
    assertComparison(
        Comparison.PRINTED_AND_COMPUTED, number().printed("0.5").formula(0.5).measured(1, 10));
    assertVerdict(Verdict.AGREES, number().statedAtMost(0.01).measured(0, 100_000));
    assertVerdict(Verdict.MEASURED, number().statedAtMost(1e-6).measured(0, 100_000));
    assertVerdict(Verdict.AGREES, number().formula(0).measured(new Measured(0.1, -0.2, 0.4, 1e-9)));
  }

  @Test
  void theFileKeepsEveryVerdict() throws IOException {
    List<Result> results =
        List.of(
            number().printed("1").formula(1).build(),
            number().printed("1").formula(2).build(),
            number().formula(2).build(),
            number().counted(2).build());
    Path file = folder.resolve("results.json");
    ResultsFile.write(file, results);
    assertThat(ResultsFile.read(file)).isEqualTo(results);
    assertThat(Files.readString(file)).contains("\"agrees\":null", "\"rule\":\"digits\"");
    assertThat(Verdicts.sentence(results))
        .isEqualTo(
            "Of 4 numbers, 1 agrees: 1 printed and computed; 1 is only computed; 1 is only"
                + " measured; 1 disagrees.");
  }
}

package dev.bellows.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Suggestions for misspelled words are plausible, or there are none. */
class SpellingTest {
  private static final List<String> VERBS =
      List.of("plan", "build", "add", "remove", "query", "uniq", "info", "fold", "union", "verify");

  @Test
  void typingErrorsAreCorrected() {
    assertThat(Spelling.near("quary", VERBS)).containsExactly("query");
    assertThat(Spelling.near("buidl", VERBS)).containsExactly("build");
    assertThat(Spelling.near("unoin", VERBS)).containsExactly("union");
    assertThat(Spelling.near("ver", VERBS)).containsExactly("verify");
    assertThat(Spelling.near("--fild", List.of("--field", "--from", "--fpp")))
        .containsExactly("--field");
    assertThat(Spelling.near("--delim", List.of("--delimiter", "--debug")))
        .containsExactly("--delimiter");
    assertThat(Spelling.near("--fpp", List.of("--to-fpp", "--max-fpp", "--factor")))
        .containsExactly("--max-fpp", "--to-fpp");
  }

  @Test
  void otherWordsHaveNoSuggestion() {
    for (String word : List.of("xyz", "zzzzzz", "grep", "delete", "a", "", "help me")) {
      assertThat(Spelling.near(word, VERBS)).as(word).isEmpty();
    }
  }

  @Test
  void distancesCountSteps() {
    assertThat(Spelling.distance("", "abc")).isEqualTo(3);
    assertThat(Spelling.distance("abc", "abc")).isZero();
    assertThat(Spelling.distance("abc", "acb")).isEqualTo(1);
    assertThat(Spelling.distance("kitten", "sitting")).isEqualTo(3);
  }
}

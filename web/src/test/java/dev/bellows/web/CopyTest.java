package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The copy of the page in docs equals the output of the build, up to the order of declarations.
 * TeaVM writes the same classes and functions, with the same names, in an order that varies from
 * run to run.
 */
class CopyTest {
  @Test
  void theCopyInDocsIsThePage() throws IOException {
    Path copy = Site.path("docs/page/index.html");
    if (Boolean.getBoolean("bellows.page.write") && !sameParts(copy)) {
      Files.createDirectories(copy.getParent());
      Files.copy(Site.page(), copy, StandardCopyOption.REPLACE_EXISTING);
    }
    assertThat(sameParts(copy))
        .as(
            "docs/page/index.html is old: mvn -pl web -am test -Dtest=CopyTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dbellows.page.write=true writes it")
        .isTrue();
  }

  private static boolean sameParts(Path copy) {
    return Files.exists(copy) && parts(copy).equals(parts(Site.page()));
  }

  /**
   * The expressions of a page, sorted. Line breaks, {@code let} and the short names of members are
   * left out, because they depend on the order too.
   */
  private static List<String> parts(Path page) {
    String text = Site.text(page).replaceAll("\\blet\\s", "").replaceAll("\\s", "");
    text = text.replaceAll("\\.[A-Z][A-Za-z]\\b", ".N").replaceAll("\"[A-Z][A-Za-z]\"", "N");
    return Arrays.stream(text.split("[;,(){}\\[\\]]")).sorted().toList();
  }

  @Test
  void thePageNeedsNoNetwork() {
    String page = Site.text(Site.page());
    assertThat(page).doesNotContainPattern("(?:src|href)=\"(?:https?:)?//");
    assertThat(page).doesNotContain("fetch(", "XMLHttpRequest", "sendBeacon");
    assertThat(GraalEngine.scripts(page)).hasSize(3);
  }
}

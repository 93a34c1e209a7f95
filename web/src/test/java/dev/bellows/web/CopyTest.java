package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The copy of the page in docs is what the build makes. */
class CopyTest {
  @Test
  void theCopyInDocsIsThePage() throws IOException {
    Path copy = Site.path("docs/page/index.html");
    if (Boolean.getBoolean("bellows.page.write")) {
      Files.createDirectories(copy.getParent());
      Files.copy(Site.page(), copy, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
    assertThat(Files.mismatch(Site.page(), copy))
        .as(
            "docs/page/index.html is old: mvn -pl web -am test -Dtest=CopyTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dbellows.page.write=true writes it")
        .isEqualTo(-1);
  }

  @Test
  void thePageNeedsNoNetwork() {
    String page = Site.text(Site.page());
    assertThat(page).doesNotContainPattern("(?:src|href)=\"(?:https?:)?//");
    assertThat(page).doesNotContain("fetch(", "XMLHttpRequest", "sendBeacon");
    assertThat(GraalEngine.scripts(page)).hasSize(3);
  }
}

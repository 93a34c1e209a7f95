package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Only durable kinds compile. */
class SealedKindsTest {
  @TempDir Path out;

  @ParameterizedTest
  @CsvSource({
    "'BloomFilter.create(10, 0.1)', true",
    "growth.FingerprintFilter.create(0.1), true",
    "scalable.ScalableBloomFilter.create(0.1), true",
    "window.WindowFilter.builder().build(), true",
    "'CountingBloomFilter.create(10, 0.1)', false",
    "elastic.ElasticBloomFilter.builder().build(), false"
  })
  void implementationsOutsideThePackageDoNotCompile(String filter, boolean compiles) {
    String source =
        """
        class Use {
          static Object open(java.nio.file.Path folder) throws java.io.IOException {
            return dev.bellows.durable.DurableFilter.open(
                folder, () -> dev.bellows.%s, dev.bellows.durable.Sync.ALWAYS);
          }
        }
        """
            .formatted(filter);
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Use.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String path = System.getProperty("java.class.path");
    boolean isCompiled =
        compiler
            .getTask(
                null,
                null,
                diagnostic -> {},
                List.of("-proc:none", "-d", out.toString(), "-cp", path),
                null,
                List.of(file))
            .call();
    assertThat(isCompiled).isEqualTo(compiles);
  }
}

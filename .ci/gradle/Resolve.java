import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gradle.api.Project;
import org.gradle.api.plugins.JavaPluginExtension;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Resolve PROJECT HOME REPOSITORY VERSION: Gradle reads the build script of a project and resolves
 * what it names. Prints three lines: the sources, the path to compile them with, and the path to
 * run them with. It runs no task: that needs more of Gradle than its classes.
 */
public class Resolve {
  private static String path(Set<File> files) {
    return files.stream().map(File::getPath).collect(Collectors.joining(File.pathSeparator));
  }

  public static void main(String[] arguments) {
    Project project =
        ProjectBuilder.builder()
            .withProjectDir(Path.of(arguments[0]).toFile())
            .withGradleUserHomeDir(Path.of(arguments[1]).toFile())
            .build();
    project.getExtensions().getExtraProperties().set("bellows.repository", arguments[2]);
    project.getExtensions().getExtraProperties().set("bellows.version", arguments[3]);
    project.apply(Map.of("from", "build.gradle"));
    JavaPluginExtension java = project.getExtensions().getByType(JavaPluginExtension.class);
    System.out.println(path(java.getSourceSets().getByName("main").getAllJava().getFiles()));
    System.out.println(path(project.getConfigurations().getByName("compileClasspath").resolve()));
    System.out.println(path(project.getConfigurations().getByName("runtimeClasspath").resolve()));
    System.exit(0); // Gradle's threads go on
  }
}

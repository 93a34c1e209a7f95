import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** {@code Repeat TIMES CLASS...}: runs test classes many times and lists the tests that failed. */
final class Repeat {
  public static void main(String[] arguments) {
    int times = Integer.parseInt(arguments[0]);
    Map<String, Integer> failures = new TreeMap<>();
    Launcher launcher = LauncherFactory.create();
    for (String name : Arrays.copyOfRange(arguments, 1, arguments.length)) {
      LauncherDiscoveryRequest tests =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(name))
              .filters(TagFilter.excludeTags("scale", "engines"))
              .build();
      long passed = 0;
      long failed = 0;
      for (int run = 0; run < times; run++) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launcher.execute(tests, listener);
        TestExecutionSummary summary = listener.getSummary();
        passed += summary.getTestsSucceededCount();
        failed += summary.getTotalFailureCount();
        for (TestExecutionSummary.Failure failure : summary.getFailures()) {
          String test = name + ": " + failure.getTestIdentifier().getDisplayName();
          if (failures.merge(test, 1, Integer::sum) == 1) {
            failure.getException().printStackTrace();
          }
        }
        if ((run + 1) % 10 == 0) {
          System.err.printf(
              "repeat: %s, %d of %d times: %d failed%n", name, run + 1, times, failed);
        }
      }
      System.out.printf(
          "repeat: %s, %d times: %d passed, %d failed%n", name, times, passed, failed);
    }
    failures.forEach(
        (test, count) -> System.out.println("repeat: failed " + count + " times: " + test));
    System.exit(failures.isEmpty() ? 0 : 1);
  }
}

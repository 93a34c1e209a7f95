package dev.bellows.spark;

import java.util.Arrays;

/** The main class of a master or a worker of the tests: it ends when the test's process ends. */
public final class ClusterMember {
  private ClusterMember() {}

  public static void main(String[] arguments) throws Exception {
    ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
    Thread watch =
        new Thread(
            () -> {
              parent.onExit().join();
              Runtime.getRuntime().halt(1);
            });
    watch.setDaemon(true);
    watch.start();
    Class.forName(arguments[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
  }
}

package dev.bellows.web;

import java.util.ArrayList;
import java.util.List;

/**
 * The engines of this machine: always the one inside the JVM, and a browser if one is installed.
 */
final class Engines {
  private Engines() {}

  static List<Engine> here() {
    List<Engine> engines = new ArrayList<>();
    engines.add(new GraalEngine());
    if (Browser.isHere()) {
      engines.add(Browser.open(1200, 900, false));
    }
    return engines;
  }

  static void log(Engine engine, String what) {
    System.out.println("[page] " + engine.name() + ": " + what);
  }
}

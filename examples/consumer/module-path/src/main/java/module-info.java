/** The program as a module. */
module shop {
  requires dev.bellows;
  requires dev.bellows.metrics;
  requires micrometer.core;
}

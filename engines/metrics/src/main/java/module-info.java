/** The numbers of a filter as Micrometer's gauges. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer has no descriptor, but a fixed name
module dev.bellows.metrics {
  requires transitive dev.bellows;
  requires static dev.bellows.durable;
  requires transitive micrometer.core;
  requires static transitive org.jspecify;

  exports dev.bellows.metrics;
}

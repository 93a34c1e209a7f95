/** Counting filters that are read through thresholds. */
module dev.bellows.autoscale {
  requires transitive dev.bellows;
  requires static transitive org.jspecify;

  exports dev.bellows.autoscale;

  provides dev.bellows.io.FilterFormat.Provider with
      dev.bellows.autoscale.AutoscaleFormats;
}

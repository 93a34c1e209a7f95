/** Numeric ranges and texts in a Bloom filter. */
module dev.bellows.range {
  requires transitive dev.bellows;
  requires static transitive org.jspecify;

  exports dev.bellows.range;

  provides dev.bellows.io.FilterFormat.Provider with
      dev.bellows.range.RangeFormats;
}

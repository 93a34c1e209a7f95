/** Filters that grow in levels of bits. */
module dev.bellows.scalable {
  requires transitive dev.bellows;
  requires static transitive org.jspecify;

  exports dev.bellows.scalable;

  provides dev.bellows.io.FilterFormat.Provider with
      dev.bellows.scalable.ScalableFormats;
}

/** A filter in a folder, which survives its process. */
module dev.bellows.durable {
  requires transitive dev.bellows;
  requires static transitive org.jspecify;

  exports dev.bellows.durable;

  provides dev.bellows.io.FilterFormat.Provider with
      dev.bellows.durable.DurableFormats;
}

package dev.bellows.web.browser;

import org.teavm.extension.spi.substitution.SimpleSubstitutionPolicy;
import org.teavm.extension.spi.substitution.SubstitutionSink;

/** Tells the compiler to JavaScript which classes of core a browser has its own of. */
public final class Substitution extends SimpleSubstitutionPolicy {
  @Override
  public void contribute(SubstitutionSink sink) {
    sink.selectClasses(named("dev.bellows.internal.base.Precise"))
        .replacePackage("dev.bellows.internal.base", "dev.bellows.web.browser");
  }
}

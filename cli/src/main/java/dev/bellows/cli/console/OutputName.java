package dev.bellows.cli.console;

import java.util.Set;
import picocli.CommandLine.ITypeConverter;

/** The name of an output; those that mean standard output become {@code -}. */
public final class OutputName implements ITypeConverter<String> {
  private static final Set<String> STANDARD = Set.of("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1");

  @Override
  public String convert(String name) {
    return STANDARD.contains(name) ? "-" : name;
  }
}

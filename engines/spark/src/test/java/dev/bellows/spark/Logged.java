package dev.bellows.spark;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

/** Captures the messages of a logger while it is open. */
final class Logged implements AutoCloseable {
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final String logger;
  private final AbstractAppender appender;

  private Logged(String logger) {
    this.logger = logger;
    this.appender =
        new AbstractAppender("logged", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            messages.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
          }
        };
  }

  static Logged by(String logger) {
    Logged logged = new Logged(logger);
    logged.appender.start();
    Configurator.setLevel(logger, Level.INFO);
    LoggerContext.getContext(false)
        .getConfiguration()
        .getLoggerConfig(logger)
        .addAppender(logged.appender, null, null);
    return logged;
  }

  List<String> messages() {
    return messages;
  }

  @Override
  public void close() {
    LoggerContext context = LoggerContext.getContext(false);
    context.getConfiguration().getLoggerConfig(logger).removeAppender("logged");
    Configurator.setLevel(logger, Level.ERROR);
    appender.stop();
  }
}

package dev.bellows.web;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** The scripts of the page inside this JVM, all but the last one, which needs a document. */
final class GraalEngine implements Engine {
  private static final Pattern SCRIPT = Pattern.compile("(?s)<script[^>]*>(.*?)</script>");

  /** What was parsed for one page serves the next. */
  private static final org.graalvm.polyglot.Engine PARSED =
      org.graalvm.polyglot.Engine.newBuilder("js")
          .option("engine.WarnInterpreterOnly", "false")
          .build();

  private static final List<Source> SOURCES =
      scripts(Site.text(Site.page())).stream().map(text -> Source.create("js", text)).toList();

  private final Context context;

  GraalEngine() {
    context = Context.newBuilder("js").engine(PARSED).option("js.strict", "false").build();
    for (Source script : SOURCES.subList(0, SOURCES.size() - 1)) {
      context.eval(script);
    }
    context.eval("js", "const toAnswer = (tab, inputs) => bellows.answer(tab, inputs);");
  }

  /** The scripts inside a page, in their order. */
  static List<String> scripts(String page) {
    List<String> scripts = new ArrayList<>();
    Matcher matcher = SCRIPT.matcher(page);
    while (matcher.find()) {
      scripts.add(matcher.group(1));
    }
    return scripts;
  }

  @Override
  public String name() {
    return "GraalJS inside the JVM";
  }

  @Override
  public String answer(String tab, String inputs) {
    return call("toAnswer", tab, inputs);
  }

  @Override
  public String call(String function, String... arguments) {
    Value value = context.eval("js", function).execute((Object[]) arguments);
    return value.isString() ? value.asString() : value.toString();
  }

  @Override
  public void close() {
    context.close();
  }
}

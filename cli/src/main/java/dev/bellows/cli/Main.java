package dev.bellows.cli;

import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Failures;
import dev.bellows.cli.console.Misuse;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.parquet.Parquet;
import dev.bellows.cli.plan.Plan;
import dev.bellows.cli.redis.Redis;
import dev.bellows.cli.verbs.Add;
import dev.bellows.cli.verbs.Bench;
import dev.bellows.cli.verbs.Binarize;
import dev.bellows.cli.verbs.Build;
import dev.bellows.cli.verbs.Convert;
import dev.bellows.cli.verbs.Fold;
import dev.bellows.cli.verbs.Follow;
import dev.bellows.cli.verbs.Freeze;
import dev.bellows.cli.verbs.Info;
import dev.bellows.cli.verbs.Intersect;
import dev.bellows.cli.verbs.Match;
import dev.bellows.cli.verbs.Page;
import dev.bellows.cli.verbs.Papers;
import dev.bellows.cli.verbs.Query;
import dev.bellows.cli.verbs.Receive;
import dev.bellows.cli.verbs.Remove;
import dev.bellows.cli.verbs.Ship;
import dev.bellows.cli.verbs.Similarity;
import dev.bellows.cli.verbs.Subtract;
import dev.bellows.cli.verbs.Union;
import dev.bellows.cli.verbs.Uniq;
import dev.bellows.cli.verbs.Verify;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of the command line: knows the verbs, the streams and the exit codes. */
@Command(
    name = "bellows",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nVerbs:%n",
    synopsisSubcommandLabel = "VERB",
    description =
        "Elastic Bloom filters in files: plan, build, query, fold, merge and verify them.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success; for query, at least one key was printed",
      "1:nothing found, or a check failed",
      "2:bad usage or bad input; one line on standard error says what"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellows plan bloom --keys 1M --fpp 1%%",
      "  bellows build --fpp 1%% -o words.bloom examples/words.txt",
      "  bellows add words.bloom more-words.txt",
      "  bellows remove keys.bellows old-keys.txt",
      "  bellows query words.bloom bellows billows",
      "  bellows uniq access.log > distinct.log",
      "  bellows info words.bloom",
      "  bellows fold words.bloom --to-fpp 5%% -o small.bloom",
      "  bellows union a.bloom b.bloom -o both.bloom",
      "  bellows intersect a.bloom b.bloom -o common.bloom",
      "  bellows subtract all.counting gone.counting -o left.counting",
      "  bellows ship users.elastic --budget 8KiB -o part1",
      "  bellows receive users.parts part1 part2",
      "  bellows verify words.bloom --present examples/words.txt --absent other.txt",
      "  bellows match person.range wanted.range",
      "  bellows binarize keys.auto -o keys.bits",
      "  bellows convert users.guava --format guava --key-type utf8 \\",
      "    -o users.bloom users.txt",
      "  bellows parquet fold big.parquet --to-fpp 1%% -o small.parquet",
      "  bellows redis query --url redis://localhost:6379 users ann bob",
      "  bellows page --open",
      "  bellows papers --only 003/table-4-1",
      "  bellows bench --quick",
      "  bellows help plan bloom",
      "  source <(bellows completion)"
    })
public final class Main implements Runnable, Console.Owner {
  /** May come before the verb. */
  private static final Set<String> ROOT_OPTIONS = Set.of("--debug", "--no-wait", "--quiet");

  /** Alone, it needs no verb. */
  private static final Set<String> VERSION = Set.of("--version", "-V");

  /** May stand before the verb that help is asked about. */
  private static final Set<String> HELP_WORDS = Set.of("help", "--man");

  /** Verbs that refer to the other ones, unless help is asked about a verb. */
  private static final Set<String> NEEDS_ALL = Set.of("completion", "help");

  private Console console;

  @Spec CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of an error.")
  boolean debug;

  @Option(
      names = "--no-wait",
      scope = ScopeType.INHERIT,
      description = "Refuse to update a file that another process updates, instead of waiting.")
  void setNoWait(boolean noWait) {
    console = noWait ? console.impatient() : console;
  }

  @Option(
      names = "--quiet",
      scope = ScopeType.INHERIT,
      description =
          "No progress, notes or summaries of what was written, only results, warnings and errors.")
  void setQuiet(boolean quiet) {
    console = quiet ? console.quiet() : console;
  }

  private Main(Console console) {
    this.console = console;
  }

  @Override
  public Console console() {
    return console;
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(Console.system(), arguments));
  }

  public static int run(Console console, String... arguments) {
    try {
      int code = commandLine(console, arguments).execute(arguments);
      try {
        console.out().flush();
      } catch (IOException e) {
        if (code != Verb.BAD) { // otherwise it was already reported, perhaps for the same output
          throw e;
        }
      }
      return code;
    } catch (IOException | OutOfMemoryError e) {
      return Failures.execution(console, e, arguments);
    } finally {
      console.err().flush();
    }
  }

  static CommandLine commandLine(Console console, String... arguments) {
    CommandLine line = new CommandLine(new Main(console));
    addVerbs(line, arguments);
    Numbers.registerWith(line);
    line.setExpandAtFiles(false); // a key may begin with @
    line.setOut(
        new PrintWriter(new OutputStreamWriter(console.out(), StandardCharsets.UTF_8), true));
    line.setColorScheme(Help.defaultColorScheme(console.colours() ? Ansi.ON : Ansi.OFF));
    line.setParameterExceptionHandler((e, args) -> Failures.usage(console, e, arguments));
    line.setExecutionExceptionHandler(
        (e, failed, parsed) ->
            e instanceof Misuse
                ? Failures.usage(
                    console, new ParameterException(failed, e.getMessage(), e), arguments)
                : Failures.execution(console, e, arguments));
    return line;
  }

  /**
   * Adds the verb that is named, or all of them if none is. Each costs start-up time: its options
   * are found by reflection.
   */
  private static void addVerbs(CommandLine line, String[] arguments) {
    if (arguments.length == 1 && VERSION.contains(arguments[0])) {
      return;
    }
    Map<String, Class<?>> all = verbs();
    boolean isHelp = false;
    for (String argument : arguments) {
      if (all.containsKey(argument) && !NEEDS_ALL.contains(argument)) {
        line.addSubcommand(argument, all.get(argument));
        if (isHelp) {
          line.addSubcommand("help", HelpVerb.class);
        }
        return;
      }
      isHelp |= argument.equals("help");
      if (!ROOT_OPTIONS.contains(argument) && !(isHelp && HELP_WORDS.contains(argument))) {
        break;
      }
    }
    all.forEach(line::addSubcommand);
  }

  private static Map<String, Class<?>> verbs() {
    Map<String, Class<?>> verbs = new LinkedHashMap<>();
    verbs.put("plan", Plan.class);
    verbs.put("build", Build.class);
    verbs.put("add", Add.class);
    verbs.put("remove", Remove.class);
    verbs.put("query", Query.class);
    verbs.put("uniq", Uniq.class);
    verbs.put("info", Info.class);
    verbs.put("fold", Fold.class);
    verbs.put("union", Union.class);
    verbs.put("intersect", Intersect.class);
    verbs.put("subtract", Subtract.class);
    verbs.put("ship", Ship.class);
    verbs.put("receive", Receive.class);
    verbs.put("follow", Follow.class);
    verbs.put("verify", Verify.class);
    verbs.put("match", Match.class);
    verbs.put("similarity", Similarity.class);
    verbs.put("freeze", Freeze.class);
    verbs.put("binarize", Binarize.class);
    verbs.put("convert", Convert.class);
    verbs.put("parquet", Parquet.class);
    verbs.put("redis", Redis.class);
    verbs.put("page", Page.class);
    verbs.put("papers", Papers.class);
    verbs.put("bench", Bench.class);
    verbs.put("help", HelpVerb.class);
    verbs.put("completion", Completion.class);
    return verbs;
  }

  @Override
  public void run() {
    throw new Misuse("a verb is missing: one of " + String.join(", ", spec.subcommands().keySet()));
  }

  /** The version that the build wrote into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      Properties properties = new Properties();
      try (InputStream in = Main.class.getResourceAsStream("version.properties")) {
        properties.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new String[] {"bellows " + properties.getProperty("version")};
    }
  }
}

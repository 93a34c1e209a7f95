package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellows.redis.RedisBits.ErrorReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commands of one filter, counts what is transferred, loads scripts that the server does
 * not have, and turns error replies into exceptions.
 */
final class Wire {
  private static final byte[] EVALSHA = bytes("EVALSHA");

  private final RedisBits bits;
  private final String name;
  private final byte[] key;
  private final LongAdder roundTrips = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder bytesSent = new LongAdder();
  private final LongAdder bytesReceived = new LongAdder();

  Wire(RedisBits bits, String name) {
    this.bits = bits;
    this.name = name;
    this.key = bytes(Keys.state(name));
  }

  /** A command, and the script that it runs, if any. */
  static final class Command {
    private final byte[][] words;
    private final @Nullable Script script;

    private Command(byte[][] words, @Nullable Script script) {
      this.words = words;
      this.script = script;
    }

    byte[][] words() {
      return words;
    }

    @Nullable Script script() {
      return script;
    }

    static Command of(String name, byte[]... arguments) {
      byte[][] words = new byte[1 + arguments.length][];
      words[0] = bytes(name);
      System.arraycopy(arguments, 0, words, 1, arguments.length);
      return new Command(words, null);
    }

    static Command run(Script script, List<byte[]> keys, List<byte[]> arguments) {
      List<byte[]> words = new ArrayList<>(3 + keys.size() + arguments.size());
      words.add(EVALSHA);
      words.add(script.digest());
      words.add(decimal(keys.size()));
      words.addAll(keys);
      words.addAll(arguments);
      return new Command(words.toArray(new byte[0][]), script);
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static int digits(long value) {
    int count = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      count++;
    }
    return count;
  }

  /** Returns a non-negative number as decimal digits. */
  static byte[] decimal(long value) {
    int length = digits(value);
    byte[] digits = new byte[length];
    long rest = value;
    for (int i = length - 1; i >= 0; i--) {
      digits[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return digits;
  }

  RedisBits bits() {
    return bits;
  }

  RedisMetrics metrics() {
    return new RedisMetrics(roundTrips.sum(), retries.sum(), bytesSent.sum(), bytesReceived.sum());
  }

  /** Counts a round trip that repeats another one. */
  void countRetry() {
    retries.increment();
  }

  /**
   * Returns the replies to commands that change nothing. If the connection breaks, they are sent
   * once more.
   */
  List<@Nullable Object> ask(List<Command> commands) {
    try {
      return replies(commands);
    } catch (SharedFilterException e) {
      if (!e.mayHaveHappened()) {
        throw e;
      }
      countRetry();
      try {
        return replies(commands);
      } catch (SharedFilterException again) {
        throw again.ofQuestion();
      }
    }
  }

  /**
   * Returns the replies to commands that change something; {@code what} names the change in
   * messages.
   */
  List<@Nullable Object> change(String what, List<Command> commands) {
    try {
      return replies(commands);
    } catch (SharedFilterException e) {
      throw e.ofChange(what);
    }
  }

  private List<@Nullable Object> replies(List<Command> commands) {
    List<@Nullable Object> replies = send(commands.stream().map(Command::words).toList());
    List<Integer> unknown = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i) instanceof ErrorReply error && error.message().startsWith("NOSCRIPT")) {
        unknown.add(i);
      }
    }
    if (!unknown.isEmpty()) {
      loadAndRun(commands, unknown, replies);
    }
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i) instanceof ErrorReply error) {
        throw refusal(error, i > 0 && commands.get(0).script() != null);
      }
    }
    return replies;
  }

  private void loadAndRun(
      List<Command> commands, List<Integer> unknown, List<@Nullable Object> replies) {
    countRetry();
    List<Script> scripts = unknown.stream().map(i -> commands.get(i).script()).distinct().toList();
    List<byte[][]> again = new ArrayList<>();
    for (Script script : scripts) {
      again.add(new byte[][] {bytes("SCRIPT"), bytes("LOAD"), script.text()});
    }
    unknown.forEach(i -> again.add(commands.get(i).words()));
    List<@Nullable Object> answers = send(again);
    for (int i = 0; i < scripts.size(); i++) {
      if (answers.get(i) instanceof ErrorReply error) {
        throw refusal(error, false);
      }
    }
    for (int i = 0; i < unknown.size(); i++) {
      replies.set(unknown.get(i), answers.get(scripts.size() + i));
    }
  }

  private List<@Nullable Object> send(List<byte[][]> commands) {
    roundTrips.increment();
    long sent = 0;
    for (byte[][] command : commands) {
      sent += header(command.length);
      for (byte[] word : command) {
        sent += header(word.length) + word.length + 2;
      }
    }
    bytesSent.add(sent);
    List<@Nullable Object> replies = bits.send(key, commands);
    long received = 0;
    for (Object reply : replies) {
      received += length(reply);
    }
    bytesReceived.add(received);
    return replies;
  }

  /** Returns the encoded length of a type, a number and a line end. */
  private static long header(long number) {
    return 3L + (number < 0 ? 2 : digits(number));
  }

  private static long length(@Nullable Object reply) {
    if (reply instanceof byte[] text) {
      return header(text.length) + text.length + 2;
    }
    if (reply instanceof Long number) {
      return header(number);
    }
    if (reply instanceof ErrorReply error) {
      return 3L + error.message().length();
    }
    if (reply instanceof List<?> list) {
      long sum = header(list.size());
      for (Object element : list) {
        sum += length(element);
      }
      return sum;
    }
    return header(-1);
  }

  /** Returns an exception that explains the server's error reply. */
  private SharedFilterException refusal(ErrorReply error, boolean othersRan) {
    String message = error.message();
    String text =
        "the server refused a command for filter '%s' (%s)%s"
            .formatted(name, message, advice(message));
    return othersRan
        ? SharedFilterException.unanswered(text + "; other commands of the batch ran", null)
        : SharedFilterException.refused(text);
  }

  /** Returns whether the server accepts no changes from this client, or from any client. */
  static boolean isWriteForbidden(SharedFilterException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("READONLY") || message.contains("NOPERM");
  }

  private static String advice(String message) {
    if (message.contains("BELLOWSLOST")) {
      return ": a stripe of the filter is missing or has another length, and its keys are lost; was"
          + " it evicted or deleted? Set maxmemory-policy to noeviction, drop the filter and build"
          + " it again";
    }
    if (message.contains("BELLOWSFOREIGN")) {
      return ": this key exists and is not part of the filter: delete it or use another name";
    }
    if (message.contains("NOAUTH") || message.contains("WRONGPASS")) {
      return ": connect with a user and a password";
    }
    if (message.contains("NOPERM")) {
      return ": the user may not do this; it needs the key pattern {name}* and +@read +@write"
          + " +@scripting +@connection";
    }
    if (message.contains("OOM ")) {
      return ": the server has run out of memory; fold a filter, or raise maxmemory";
    }
    if (message.contains("READONLY")) {
      return ": this server is a replica; connect to the primary, and after a failover connect"
          + " again";
    }
    if (message.contains("WRONGTYPE")) {
      return ": a key of this name holds something else: use another name";
    }
    if (message.contains("CROSSSLOT")) {
      return ": the keys are on different nodes of a cluster";
    }
    boolean later =
        message.startsWith("LOADING")
            || message.startsWith("CLUSTERDOWN")
            || message.startsWith("MASTERDOWN")
            || message.startsWith("TRYAGAIN")
            || message.startsWith("ASK")
            || message.startsWith("MOVED")
            || message.startsWith("BUSY");
    return later ? ": try again later" : "";
  }
}

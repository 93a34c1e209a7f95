package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The scripts that the server runs atomically. Every script first compares the version of the state
 * and does nothing if it is different: it returns 0 or an empty reply, and the client reads the
 * state again.
 */
enum Script {
  /**
   * Replaces fields of the state. Keys: state, lease, and keys that must not exist. Arguments: the
   * version, empty if there must be no state; the milliseconds of the lease, 0 to end it, empty to
   * keep it; "free" if the lease of another client prevents the change; fields and values.
   */
  SWITCH(
      """
      local now = redis.call('EXISTS', KEYS[1]) == 0 and '' or redis.call('HGET', KEYS[1], 'version')
      if now ~= ARGV[1] then return 0 end
      if ARGV[3] == 'free' and redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
      for i = 3, #KEYS do
        if redis.call('EXISTS', KEYS[i]) == 1 then
          return redis.error_reply('BELLOWSFOREIGN ' .. KEYS[i])
        end
      end
      for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
      if ARGV[2] == '0' then redis.call('DEL', KEYS[2])
      elseif ARGV[2] ~= '' then redis.call('SET', KEYS[2], '1', 'PX', ARGV[2]) end
      return 1
      """),

  /**
   * Gives stripes their full length. Keys: state, lease, stripes. Arguments: version, milliseconds
   * of the lease or empty, time of expiry or empty, the length of each stripe.
   */
  MAKE(
      """
      if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
      if ARGV[2] ~= '' then redis.call('SET', KEYS[2], '1', 'PX', ARGV[2]) end
      for i = 3, #KEYS do
        local length = tonumber(ARGV[i + 1])
        if redis.call('STRLEN', KEYS[i]) < length then
          redis.call('SETRANGE', KEYS[i], ARGV[i + 1] - 1, '\\0')
        end
        if ARGV[3] ~= '' then redis.call('PEXPIREAT', KEYS[i], ARGV[3]) end
      end
      return 1
      """),

  /**
   * Sets single bits. Keys: state, stripes. Arguments: version, the length of each stripe, and for
   * each stripe one text: the number of its bits in four bytes, and their offsets as digits, each
   * preceded by a byte with the number of digits. Returns for each stripe the previous values of
   * the bits: one byte for every seven bits, the first one lowest, and then one byte for each
   * remaining bit.
   */
  PUT_BITS(
      Common.CHECKED
          + """
          local call, read, char = redis.call, struct.unpack, string.char
          local seven, before, n = string.rep('Bc0', 7), {}, 0
          for i = 2, #KEYS do
            local key, bits = KEYS[i], ARGV[#KEYS + i - 1]
            local count, at = read('<I4', bits)
            while count >= 7 do
              local a, b, c, d, e, f, g, next = read(seven, bits, at)
              local was = call('BITFIELD', key, 'SET', 'u1', a, '1', 'SET', 'u1', b, '1',
                  'SET', 'u1', c, '1', 'SET', 'u1', d, '1', 'SET', 'u1', e, '1',
                  'SET', 'u1', f, '1', 'SET', 'u1', g, '1')
              n = n + 1
              before[n] = char(was[1] + 2 * was[2] + 4 * was[3] + 8 * was[4] + 16 * was[5]
                  + 32 * was[6] + 64 * was[7])
              at, count = next, count - 7
            end
            while count > 0 do
              local offset, next = read('Bc0', bits, at)
              n = n + 1
              before[n] = char(call('SETBIT', key, offset, '1'))
              at, count = next, count - 1
            end
          end
          return table.concat(before)
          """),

  /** {@link Common#putBlocks} for keys that use one word of a block. */
  PUT_BLOCKS_1(Common.putBlocks(1)),

  /** {@link Common#putBlocks} for keys that use two words of a block. */
  PUT_BLOCKS_2(Common.putBlocks(2)),

  /** {@link Common#putBlocks} for keys that use four words of a block. */
  PUT_BLOCKS_4(Common.putBlocks(4)),

  /** {@link Common#putBlocks} for keys that use all words of a block. */
  PUT_BLOCKS_8(Common.putBlocks(8)),

  /**
   * Puts keys that no level contains into the newest level of a growing filter, until it is full.
   * Keys: state, stripes. Arguments: version, the length of each stripe, the field that counts the
   * keys of the level, its capacity, the number of levels, the number of additional parts that are
   * updated with the newest level; for each key and each level, newest first, and each additional
   * part, the number of stripes, and for each of these its index among the keys, the number of bits
   * and their offsets. Returns 1 for each key that was put and 0 for each that was not; nothing for
   * keys for which the level was full.
   */
  PUT_GROWING(
      Common.CHECKED
          + """
          local at = #KEYS + 1
          local field = ARGV[at]
          local keys = tonumber(redis.call('HGET', KEYS[1], field) or '0')
          local capacity, levels = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
          local parts = levels + tonumber(ARGV[at + 3])
          at = at + 4
          local function bits(word, group)
            local words, n = {}, 0
            for j = group[2], group[3] do
              words[n + 1], words[n + 2], words[n + 3] = word, 'u1', ARGV[j]
              n = n + 3
              if word == 'SET' then
                n = n + 1
                words[n] = '1'
              end
            end
            return redis.call('BITFIELD', group[1], unpack(words))
          end
          local put, added = {}, 0
          while at <= #ARGV do
            local found = false
            local targets = {}
            for part = 1, parts do
              local groups = tonumber(ARGV[at])
              at = at + 1
              local all = part <= levels and not found
              for g = 1, groups do
                local count = tonumber(ARGV[at + 1])
                local group = {KEYS[tonumber(ARGV[at])], at + 2, at + 1 + count}
                at = at + 2 + count
                if all then
                  for _, bit in ipairs(bits('GET', group)) do
                    if bit == 0 then all = false break end
                  end
                end
                if part == 1 or part > levels then targets[#targets + 1] = group end
              end
              found = found or all
            end
            if found then
              put[#put + 1] = '0'
            elseif keys + added >= capacity then
              break
            else
              for _, group in ipairs(targets) do bits('SET', group) end
              added = added + 1
              put[#put + 1] = '1'
            end
          end
          if added > 0 then redis.call('HINCRBY', KEYS[1], field, added) end
          return table.concat(put)
          """),

  /** {@link Common#putGrowingBlocks} for keys that use one word of a block. */
  PUT_GROWING_BLOCKS_1(Common.putGrowingBlocks(1)),

  /** {@link Common#putGrowingBlocks} for keys that use two words of a block. */
  PUT_GROWING_BLOCKS_2(Common.putGrowingBlocks(2)),

  /** {@link Common#putGrowingBlocks} for keys that use four words of a block. */
  PUT_GROWING_BLOCKS_4(Common.putGrowingBlocks(4)),

  /** {@link Common#putGrowingBlocks} for keys that use all words of a block. */
  PUT_GROWING_BLOCKS_8(Common.putGrowingBlocks(8)),

  /**
   * Counts keys that will be put into a level. Key: state. Arguments: version, the field that
   * counts them, their number, the capacity. Returns 1, or 2 if they do not fit.
   */
  RESERVE(
      """
      if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
      local keys = tonumber(redis.call('HGET', KEYS[1], ARGV[2]) or '0')
      if keys + tonumber(ARGV[3]) > tonumber(ARGV[4]) then return 2 end
      redis.call('HINCRBY', KEYS[1], ARGV[2], ARGV[3])
      return 1
      """),

  /**
   * ORs ranges of stripes into a stripe. Keys: state, lease, a key for copies, the state of the
   * filter they come from, target, sources. Arguments: both versions, milliseconds of the lease or
   * empty, time of expiry or empty, length of the target; for each source its length, the indices
   * of the first and last byte, and the index in the target that they go to.
   */
  OR(
      """
      if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
      if redis.call('HGET', KEYS[4], 'version') ~= ARGV[2] then return 0 end
      if ARGV[3] ~= '' then redis.call('SET', KEYS[2], '1', 'PX', ARGV[3]) end
      local target = KEYS[5]
      if redis.call('STRLEN', target) ~= tonumber(ARGV[5]) then
        return redis.error_reply('BELLOWSLOST ' .. target)
      end
      for i = 6, #KEYS do
        local a = 6 + (i - 6) * 4
        local length = tonumber(ARGV[a])
        if redis.call('STRLEN', KEYS[i]) ~= length then
          return redis.error_reply('BELLOWSLOST ' .. KEYS[i])
        end
        if ARGV[a + 1] == '0' and tonumber(ARGV[a + 2]) == length - 1 and ARGV[a + 3] == '0' then
          redis.call('BITOP', 'OR', target, target, KEYS[i])
        else
          redis.call('DEL', KEYS[3])
          local range = redis.call('GETRANGE', KEYS[i], ARGV[a + 1], ARGV[a + 2])
          redis.call('SETRANGE', KEYS[3], ARGV[a + 3], range)
          redis.call('BITOP', 'OR', target, target, KEYS[3])
          redis.call('DEL', KEYS[3])
        end
      end
      if ARGV[4] ~= '' then redis.call('PEXPIREAT', target, ARGV[4]) end
      return 1
      """),

  /**
   * ORs bytes into a stripe. Keys: state, a key for copies, target. Arguments: version, time of
   * expiry or empty, length of the target, the index in it, the bytes.
   */
  OR_BYTES(
      """
      if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
      if redis.call('STRLEN', KEYS[3]) ~= tonumber(ARGV[3]) then
        return redis.error_reply('BELLOWSLOST ' .. KEYS[3])
      end
      redis.call('DEL', KEYS[2])
      redis.call('SETRANGE', KEYS[2], ARGV[4], ARGV[5])
      redis.call('BITOP', 'OR', KEYS[3], KEYS[3], KEYS[2])
      redis.call('DEL', KEYS[2])
      if ARGV[2] ~= '' then redis.call('PEXPIREAT', KEYS[3], ARGV[2]) end
      return 1
      """),

  /** Deletes the state and all stripes. Keys: state, lease, stripes. Argument: version. */
  DROP(
      """
      if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
      for i = 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
      return 1
      """),

  /**
   * Sets or removes the time of expiry of all keys. Keys: state, stripes. Arguments: version, new
   * version, the time in milliseconds, empty for none.
   */
  EXPIRE(
      """
      if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
      redis.call('HSET', KEYS[1], 'version', ARGV[2], 'expires', ARGV[3])
      for i = 1, #KEYS do
        if ARGV[3] == '' then redis.call('PERSIST', KEYS[i])
        else redis.call('PEXPIREAT', KEYS[i], ARGV[3]) end
      end
      return 1
      """);

  /** Code that several scripts share. */
  private static final class Common {
    /** Compares the version, and the length of every stripe with the corresponding argument. */
    static final String CHECKED =
        """
        if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return false end
        for i = 2, #KEYS do
          if redis.call('STRLEN', KEYS[i]) ~= tonumber(ARGV[i]) then
            return redis.error_reply('BELLOWSLOST ' .. KEYS[i])
          end
        end
        """;

    /**
     * ORs words into blocks. Keys: state, stripes. Arguments: version, the length of each stripe,
     * and for each stripe one text: for every key the index of the first byte of its first word and
     * of the last byte of its last word as digits, each preceded by a byte with the number of
     * digits; the two halves of its first word; and for each other word its distance from the
     * first, plus one, and its two halves. Returns for every key 1 if it changed its block,
     * otherwise 0.
     */
    static String putBlocks(int words) {
      return CHECKED
          + spelledOut(
              """
              local call, sub, bor = redis.call, string.sub, bit.bor
              local read, write = struct.unpack, struct.pack
              local put, n = {}, 0
              for i = 2, #KEYS do
                local key, blocks, at = KEYS[i], ARGV[#KEYS + i - 1], 1
                local length = #blocks
                while at <= length do
                  local first, last, NAMES, next = read('<FORMAT', blocks, at)
                  local range = call('GETRANGE', key, first, last)
                  BEFORE
                  JOINED
                  n = n + 1
                  if CHANGED then
                    call('SETRANGE', key, first, AFTER)
                    put[n] = '1'
                  else
                    put[n] = '0'
                  end
                  at = next
                end
              end
              return table.concat(put)
              """,
              words);
    }

    /**
     * {@link Script#PUT_GROWING} for blocks. The number of additional parts is followed by one
     * text: for every key and each level, newest first, and each additional part, the index of the
     * stripe among the keys in two bytes, and the data of {@link #putBlocks} for a key.
     */
    static String putGrowingBlocks(int words) {
      return CHECKED
          + spelledOut(
              """
              local call, sub, bor = redis.call, string.sub, bit.bor
              local read, write = struct.unpack, struct.pack
              local at = #KEYS + 1
              local field, capacity, levels = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
              local parts, blocks = levels + tonumber(ARGV[at + 3]), ARGV[at + 4]
              local keys = tonumber(call('HGET', KEYS[1], field) or '0')
              local put, n, added, length = {}, 0, 0, #blocks
              local function set(at)
                local stripe, first, last, NAMES = read('<HFORMAT', blocks, at)
                local range = call('GETRANGE', KEYS[stripe], first, last)
                BEFORE
                JOINED
                call('SETRANGE', KEYS[stripe], first, AFTER)
              end
              at = 1
              while at <= length do
                local found, newest, further = false, at, at
                for part = 1, parts do
                  if part == levels + 1 then further = at end
                  local stripe, first, last, NAMES, next = read('<HFORMAT', blocks, at)
                  if part <= levels and not found then
                    local range = call('GETRANGE', KEYS[stripe], first, last)
                    BEFORE
                    JOINED
                    found = not (CHANGED)
                  end
                  at = next
                end
                n = n + 1
                if found then
                  put[n] = '0'
                elseif keys + added >= capacity then
                  break
                else
                  set(newest)
                  if parts > levels then set(further) end
                  added = added + 1
                  put[n] = '1'
                end
              end
              if added > 0 then call('HINCRBY', KEYS[1], field, added) end
              return table.concat(put)
              """,
              words);
    }

    /**
     * Replaces the placeholders in capitals by code for each word, because a loop over the words of
     * a block would take twice as long.
     */
    private static String spelledOut(String script, int words) {
      StringBuilder format = new StringBuilder("Bc0Bc0i4i4");
      StringBuilder names = new StringBuilder("l1, h1");
      StringBuilder before = new StringBuilder("local a1, b1 = read('<i4i4', range)\n");
      StringBuilder joined = new StringBuilder();
      StringBuilder changed = new StringBuilder();
      StringBuilder after = new StringBuilder();
      for (int w = 1; w <= words; w++) {
        if (w > 1) {
          format.append("Bi4i4");
          names.append(", p%1$d, l%1$d, h%1$d".formatted(w));
          before.append("local a%1$d, b%1$d = read('<i4i4', range, p%1$d)\n".formatted(w));
          String behind = w == 2 ? "9" : "p" + (w - 1) + " + 8";
          after.append(" .. sub(range, %s, p%d - 1) .. ".formatted(behind, w));
          changed.append(" or ");
        }
        joined.append("l%1$d, h%1$d = bor(l%1$d, a%1$d), bor(h%1$d, b%1$d)\n".formatted(w));
        changed.append("l%1$d ~= a%1$d or h%1$d ~= b%1$d".formatted(w));
        after.append("write('<i4i4', l%1$d, h%1$d)".formatted(w));
      }
      return script
          .replace("NAMES", names)
          .replace("FORMAT", format)
          .replace("BEFORE", before)
          .replace("JOINED", joined)
          .replace("CHANGED", changed)
          .replace("AFTER", after);
    }
  }

  private final String text;
  private final String digest;

  Script(String text) {
    this.text = text;
    try {
      byte[] sha = MessageDigest.getInstance("SHA-1").digest(text.getBytes(US_ASCII));
      this.digest = HexFormat.of().formatHex(sha);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-1", e);
    }
  }

  /** Returns the script that puts keys which use this many words of a block. */
  static Script putBlocks(int words) {
    return switch (words) {
      case 1 -> PUT_BLOCKS_1;
      case 2 -> PUT_BLOCKS_2;
      case 4 -> PUT_BLOCKS_4;
      default -> PUT_BLOCKS_8;
    };
  }

  /** Returns the script that puts such keys into a growing filter. */
  static Script putGrowingBlocks(int words) {
    return switch (words) {
      case 1 -> PUT_GROWING_BLOCKS_1;
      case 2 -> PUT_GROWING_BLOCKS_2;
      case 4 -> PUT_GROWING_BLOCKS_4;
      default -> PUT_GROWING_BLOCKS_8;
    };
  }

  byte[] text() {
    return text.getBytes(US_ASCII);
  }

  byte[] digest() {
    return digest.getBytes(US_ASCII);
  }
}

package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What the server runs as one step. Every script compares the version of the state first and does
 * nothing if it is another one: it returns 0, or no reply at all, and the client reads the state
 * again.
 */
enum Script {
  /**
   * Replaces fields of the state. Keys: state, lease, and keys that must not exist. Arguments: the
   * version, empty where there must be no state; the milliseconds of the lease, 0 to end it, empty
   * to leave it; "free" if somebody else's lease forbids it; fields and values.
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
   * Sets bits. Keys: state, stripes. Arguments: version, the length of each stripe, and for each
   * stripe the number of its bits and their offsets. Returns the bits as they were.
   */
  PUT(
      Common.CHECKED
          + """
      local at, bits = #KEYS + 1, 0
      local before, sets, made = {}, {}, 0
      for i = 2, #KEYS do
        local last = at + tonumber(ARGV[at])
        while at < last do
          local stop = math.min(last, at + 250)
          local n = 0
          for j = at + 1, stop do
            if n == made then
              sets[n + 1], sets[n + 2], sets[n + 4] = 'SET', 'u1', '1'
              made = n + 4
            end
            sets[n + 3] = ARGV[j]
            n = n + 4
          end
          for _, bit in ipairs(redis.call('BITFIELD', KEYS[i], unpack(sets, 1, n))) do
            bits = bits + 1
            before[bits] = bit == 0 and '0' or '1'
          end
          at = stop
        end
        at = last + 1
      end
      return table.concat(before)
      """),

  /**
   * Puts keys into the newest level of a growing filter, unless a level has them, until it is full.
   * Keys: state, stripes. Arguments: version, the length of each stripe, the field that counts the
   * keys of the level, its capacity, the number of levels, the number of further parts that the
   * newest level is put into; for each key and each level, newest first, and each further part, the
   * number of stripes, and for each its index among the keys, the number of bits and their offsets.
   * Returns for each key 1 or 0, whether it was put; nothing for keys that found the level full.
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

  /**
   * ORs ranges of stripes into a stripe. Keys: state, lease, a key for copies, the state of the
   * filter they come from, target, sources. Arguments: both versions, milliseconds of the lease or
   * empty, time of expiry or empty, length of the target; for each source its length, the first
   * byte, the last, and the byte of the target they go to.
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
   * expiry or empty, length of the target, the byte of it where they go, the bytes.
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
   * Sets the time of expiry of all keys, or takes it away. Keys: state, stripes. Arguments:
   * version, new version, the time in milliseconds, empty for none.
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

  /** What scripts begin with that touch stripes. */
  private static final class Common {
    /** Compares the version, and the length of every stripe with the argument of its place. */
    static final String CHECKED =
        """
        if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return false end
        for i = 2, #KEYS do
          if redis.call('STRLEN', KEYS[i]) ~= tonumber(ARGV[i]) then
            return redis.error_reply('BELLOWSLOST ' .. KEYS[i])
          end
        end
        """;
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

  byte[] text() {
    return text.getBytes(US_ASCII);
  }

  byte[] digest() {
    return digest.getBytes(US_ASCII);
  }
}

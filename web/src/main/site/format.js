// Numbers as text, the same everywhere on the page.
"use strict";

const Format = {
  /** 9592955 -> 9,592,955; from 1e15 on in short form, because a number here has 53 bits. */
  count(value) {
    if (value === null || value === undefined || !isFinite(value)) return "unbounded";
    if (Math.abs(value) >= 1e15) return Format.digits(value, 4);
    return Math.round(value).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  },

  /** 1 bit, 2 bits */
  counted: (value, thing) => `${Format.count(value)} ${thing}${value === 1 ? "" : "s"}`,

  /** 9592955 -> 9.59M */
  short(value) {
    for (const [unit, size] of [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
      if (value >= size * 0.9995) return Format.digits(value / size, 3) + unit;
    }
    return Format.digits(value, 3);
  },

  /** A number with this many significant digits and no trailing zeros. */
  digits(value, count) {
    if (value === null || value === undefined || !isFinite(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size < 1e-4 || size >= 1e15) {
      return value.toExponential(count - 1).replace(/\.?0+e/, "e").replace("e+", "e");
    }
    return String(Number(value.toPrecision(count)));
  },

  /** 0.01 -> 1 % */
  rate(value) {
    if (value === null || value === undefined) return "unknown";
    if (value === 0) return "none";
    return value < 1e-6 ? Format.digits(value, 3) : Format.digits(100 * value, 3) + " %";
  },

  /** 0.01 -> 1 in 100 */
  oneIn(value) {
    if (!value || value > 0.5) return "";
    return "1 in " + (value > 1e-9 ? Format.count(1 / value) : value > 1e-15 ? Format.short(1 / value) : Format.digits(1 / value, 3));
  },

  /** Bits as bytes with a binary unit. */
  bytes(bits) {
    if (bits === null || bits === undefined) return "–";
    let size = Math.ceil(bits / 8);
    if (size < 1024) return Format.count(size) + (size === 1 ? " byte" : " bytes");
    let unit = -1;
    while (size >= 1023.95 && unit < 5) {
      size /= 1024;
      unit++;
    }
    const digits = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return size.toFixed(digits) + " " + ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][unit];
  },

  /** Milliseconds as a span of time, its two largest units: 98742858 -> 27 h 26 min */
  span(millis) {
    const units = [["d", 86400000], ["h", 3600000], ["min", 60000], ["s", 1000], ["ms", 1]];
    // a day and less in hours, as windows are named
    const first = units.findIndex(([unit, size]) => millis >= (unit === "d" ? 2 : 1) * size);
    const [unit, size] = units[Math.max(0, first)];
    const [next, part] = units[Math.min(units.length - 1, Math.max(0, first) + 1)];
    const whole = Math.floor(millis / size);
    const rest = next === unit ? 0 : Math.round((millis - whole * size) / part);
    if (rest * part >= size) return `${Format.count(whole + 1)} ${unit}`;
    return `${Format.count(whole)} ${unit}${rest ? ` ${rest} ${next}` : ""}`;
  },

  /** What a slider writes into its field: as people type it. */
  typed(value, kind) {
    if (kind === "rate") {
      return value >= 1e-4 ? Format.digits(100 * value, 2) + "%" : Format.digits(value, 2);
    }
    const rounded = value < 1000 ? Math.round(value) : Number(value.toPrecision(3));
    for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
      if (rounded >= size) return String(Number((rounded / size).toPrecision(6))) + unit;
    }
    return String(rounded);
  },

  /** The value of a field for its slider; null if it is not a number. */
  read(text) {
    const match = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*([kmgt]?)(i?b)?(%?)(?:\/\s*([\d.]+))?\s*$/i.exec(text);
    if (!match) {
      const power = /^\s*2\^(\d+)\s*$/.exec(text);
      return power ? Math.pow(2, Number(power[1])) : null;
    }
    const step = match[3] && match[3].length === 2 ? 1024 : 1000;
    let value = Number(match[1]) * Math.pow(step, " kmgt".indexOf(match[2].toLowerCase() || " "));
    if (match[3]) value *= 8;
    if (match[4]) value /= 100;
    if (match[5]) value /= Number(match[5]);
    return isFinite(value) ? value : null;
  },

  escape(text) {
    return String(text).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
  },
};

// The pictures of each tab: from the answers of the planners to SVG text and tables.
"use strict";

const Pictures = {
  percent: (v) => (v < 1e-6 ? Format.digits(v, 1) : Format.digits(100 * v, 3) + " %"),

  /** Bounds of a logarithmic axis of rates around these: all in percent, or all as powers of ten. */
  rates(values) {
    const real = values.filter((v) => v > 0 && isFinite(v));
    const low = Math.min(...real, 0.5);
    const high = Math.max(...real, low * 10);
    const from = Math.max(1e-300, Math.pow(10, Math.floor(Math.log10(low) + 1e-9)));
    return {
      log: true,
      from,
      to: Math.min(1, Math.pow(10, Math.ceil(Math.log10(high) - 1e-9))),
      format: from < 0.99e-6 ? (v) => (v > 0.99 ? "1" : Number(v.toPrecision(2)).toExponential()) : Pictures.percent,
    };
  },

  /** Size: the rate of this filter as keys arrive. */
  sizeCurve(answer, width) {
    const plan = answer.plan;
    const curve = answer.curve.filter((point) => point[1] >= plan.fpp / 1e5);
    if (curve.length < 2) return "";
    return Chart.plot({
      width,
      height: 300,
      label: `False positive rate of this filter from ${Format.short(curve[0][0])} to ` +
        `${Format.short(curve[curve.length - 1][0])} keys: ${Format.rate(plan.fpp)} at ${Format.short(plan.keys)} keys.`,
      x: { log: true, from: curve[0][0], to: curve[curve.length - 1][0], name: "keys in the filter", format: Format.short },
      y: { ...Pictures.rates([...curve.map((p) => p[1]), plan.fpp]),
        name: "false positive rate" },
      series: [{ points: curve, kind: "s1", area: true }],
      verticals: [{ at: plan.keys, name: "planned: " + Format.short(plan.keys) }],
      dots: [{ at: [plan.keys, plan.fpp], name: Format.rate(plan.fpp), kind: "s1" }],
    });
  },

  /** Size: bits per key compared with the floor, other layouts and other structures. */
  sizeBars(answer, width) {
    const chosen = answer.layouts.find((l) => l.chosen);
    const classic = answer.layouts.find((l) => l.name === "classic");
    const digits = (v) => Format.digits(v, 3) + " bits";
    const rows = [{ name: "theoretical floor", value: answer.floor, text: digits(answer.floor), kind: "s4" }];
    if (answer.frozenBits) {
      rows.push({ name: "frozen filter", value: answer.frozenBits, text: digits(answer.frozenBits), kind: "s2" });
    }
    if (classic && classic.bits) {
      rows.push({ name: "classic layout", value: classic.bitsPerKey, text: digits(classic.bitsPerKey),
        strong: answer.plan.layout === "classic", kind: "s1" });
    }
    if (chosen && chosen.bits) {
      rows.push({ name: `blocked, ${chosen.name}`, value: chosen.bitsPerKey, text: digits(chosen.bitsPerKey),
        strong: answer.plan.layout === "blocked", kind: "s1" });
    }
    if (answer.fingerprintBits) {
      rows.push({ name: "fingerprint filter", value: answer.fingerprintBits, text: digits(answer.fingerprintBits), kind: "s2" });
    }
    if (answer.tableBits) rows.push({ name: "table of longs", value: answer.tableBits, text: digits(answer.tableBits), kind: "s3" });
    if (answer.hashSetBits) rows.push({ name: "HashSet<Long>", value: answer.hashSetBits, text: digits(answer.hashSetBits), kind: "s3" });
    const filters = rows.filter((r) => r.kind !== "s3").map((r) => r.value);
    return Chart.bars(rows, { width, most: Math.max(...filters) * 2.2,
      label: "Bits per key: " + rows.map((r) => `${r.name} ${r.text}`).join(", ") + "." });
  },

  /** Window: the rate of this size as more or fewer keys come in each window. */
  windowCurve(answer, width) {
    const plan = answer.plan;
    const curve = answer.curve.filter((point) => point[1] >= plan.fpp / 1e5);
    if (curve.length < 2) return "";
    return Chart.plot({
      width,
      height: 260,
      label: `False positive rate from ${Format.short(curve[0][0])} to ${Format.short(curve[curve.length - 1][0])} keys per window: ` +
        `${Format.rate(plan.fpp)} at ${Format.short(plan.keys)} keys.`,
      x: { log: true, from: curve[0][0], to: curve[curve.length - 1][0], name: "keys per window", format: Format.short },
      y: { ...Pictures.rates([...curve.map((p) => p[1]), plan.fpp]), name: "false positive rate" },
      series: [{ points: curve, kind: "s1", area: true }],
      verticals: [{ at: plan.keys, name: "planned: " + Format.short(plan.keys) }],
      dots: [{ at: [plan.keys, plan.fpp], name: Format.rate(plan.fpp), kind: "s1" }],
    });
  },

  /** Window: bits per live key compared with other ways. */
  windowBars(answer, width) {
    const rows = [
      ["one plain filter", answer.foreverBits, "s4"],
      ["this ring", answer.plan.bitsPerLiveKey, "s1"],
      ["prefixes", answer.prefixBits, "s2"],
      ["two, rotated", answer.rotatedBits, "s3"],
    ].filter((row) => row[1]).map(([name, value, kind]) => ({ name, value, kind, strong: kind === "s1", text: Format.digits(value, 3) + " bits" }));
    return Chart.bars(rows, { width, most: Math.max(...rows.map((row) => row.value)) * 1.3,
      label: "Bits per live key: " + rows.map((r) => `${r.name} ${r.text}`).join(", ") + "." });
  },

  /** Size: every block pattern as a small table of bits per key; the darker, the more. */
  patterns(answer) {
    const all = answer.layouts.filter((l) => l.name !== "classic");
    if (!all.length) return "";
    const least = Math.min(...all.filter((l) => l.bits).map((l) => l.bitsPerKey));
    let rows = "";
    for (const words of [1, 2, 4, 8]) {
      rows += `<tr><th scope="row">${words} word${words > 1 ? "s" : ""}</th>`;
      for (let bits = 1; bits <= 6; bits++) {
        const layout = all.find((l) => l.name === `${words}x${bits}`);
        const over = layout.bits ? layout.bitsPerKey / least : Infinity;
        const heat = over < 1.03 ? 1 : over < 1.1 ? 2 : over < 1.3 ? 3 : over < 2 ? 4 : 5;
        const value = !layout.bits ? "–" : layout.bitsPerKey < 1000 ? layout.bitsPerKey.toFixed(layout.bitsPerKey < 100 ? 1 : 0) : Format.short(layout.bitsPerKey);
        rows += `<td class="heat${heat}${layout.chosen ? " chosen" : ""}">${value}</td>`;
      }
      rows += "</tr>";
    }
    return `<table class="heat"><caption>Bits per key of each block pattern. Columns: bits set in each word. The library uses the framed one by default.</caption>` +
      `<thead><tr><td></td>${[1, 2, 3, 4, 5, 6].map((b) => `<th scope="col">${b} bit${b > 1 ? "s" : ""}</th>`).join("")}</tr></thead><tbody>${rows}</tbody></table>`;
  },

  /** Fold: the ladder, every size with its rate, and the band. */
  ladder(answer, width, selected) {
    const rungs = answer.ladder.filter(([, rate]) => rate < 0.9999 || answer.ladder.length < 30);
    const shown = rungs.length > 2 ? rungs : answer.ladder;
    const sizes = shown.map(([size]) => size);
    const y = Pictures.rates(shown.map(([, rate]) => Math.max(rate, 1e-12)));
    return Chart.plot({
      width,
      height: 300,
      label: `The ladder: ${shown.length} sizes from ${Format.count(sizes[0])} to ${Format.count(sizes[sizes.length - 1])} bits and the rate at each.`,
      x: { log: true, from: sizes[0], to: Math.max(sizes[sizes.length - 1], sizes[0] * 2), name: "size after folding, bits", format: Format.short },
      y: { ...y, from: Math.max(y.from, 1e-12), name: "false positive rate" },
      series: [{ points: shown, kind: "s1" }],
      verticals: [
        { at: answer.plan.low, name: "band", kind: "quiet" },
        ...(answer.plan.high ? [{ at: answer.plan.high, name: "", kind: "quiet" }] : []),
      ],
      dots: [
        ...shown.slice(-90).map((rung) => ({ at: [rung[0], Math.max(rung[1], 1e-12)], name: `${Format.counted(rung[0], "bit")}: ${Format.rate(rung[1])}`, kind: "s1 small" })),
        ...(selected ? [{ at: [selected[0], Math.max(selected[1], 1e-12)], name: `${Format.counted(selected[0], "bit")}: ${Format.rate(selected[1])}`, kind: "s2" }] : []),
      ],
    });
  },

  /** Capacity: the size that each number of keys gets, compared with powers of two. */
  capacity(answer, width) {
    const from = answer.smallestNeed;
    const to = Math.max(answer.largestNeed, from * 2);
    const over = (sizes) => {
      const points = [];
      for (let i = 0; i <= 240; i++) {
        const need = from * Math.pow(to / from, i / 240);
        const size = sizes(need);
        if (size) points.push([need, size / need]);
      }
      return points;
    };
    const powers = (need) => Math.pow(2, Math.ceil(Math.log2(need) - 1e-12));
    const ladder = (need) => answer.serving.find((size) => size >= need) || answer.serving[answer.serving.length - 1];
    return Chart.plot({
      width,
      height: 250,
      label: `Size used divided by size needed: this capacity ${Format.digits(answer.plan.meanOversize, 4)} on average, ` +
        `powers of two ${Format.digits(answer.plan.powersOfTwo.meanOversize, 4)}.`,
      x: { log: true, from, to, name: "bits that the keys need", format: Format.short },
      y: { from: 1, to: 2.05, name: "bits used / bits needed", format: (v) => Format.digits(v, 3) },
      series: [
        { points: over(powers), kind: "s3", name: "powers of two" },
        { points: over(ladder), kind: "s1", name: "this capacity's ladder" },
      ],
    });
  },

  /** Grow: the curves of the answer, as series. */
  growing(answer, column) {
    const [scalable, partition, fingerprint, fixed] = answer.curves;
    const points = (rows) => rows.map((row) => [row[0], row[column]]);
    return [
      { points: points(fixed), kind: "s4", name: "one filter, sized for the horizon" },
      { points: points(scalable), kind: "s1", name: "scalable: levels" },
      { points: points(partition), kind: "s3", name: "partition tree (ids)" },
      { points: points(fingerprint), kind: "s2", name: "fingerprint" },
    ];
  },

  growthAxis(answer) {
    const rows = answer.curves[2];
    return { log: true, from: rows[0][0], to: rows[rows.length - 1][0], name: "keys", format: Format.short };
  },

  /** Grow: bits per key as keys arrive. */
  growth(answer, width, keys) {
    const series = Pictures.growing(answer, 1);
    const values = [series[1], series[3]].flatMap((s) => s.points.map((p) => p[1]));
    const top = Math.min(200, Math.max(20, ...values.filter((v) => v < 200)) * 1.15);
    const x = Pictures.growthAxis(answer);
    return Chart.plot({
      width,
      height: 320,
      label: `Bits per key of a scalable, a partition and a fingerprint filter from ${Format.short(x.from)} keys on.`,
      x,
      y: { from: 0, to: top, name: "bits per key", format: (v) => Format.digits(v, 3) },
      series,
      verticals: [{ at: Math.max(keys, x.from), name: "now: " + Format.short(keys) }],
    });
  },

  /** Grow: the number of places that a query reads as keys arrive. */
  probes(answer, width, keys) {
    const [, scalable, partition, fingerprint] = Pictures.growing(answer, 2);
    const x = Pictures.growthAxis(answer);
    const most = Math.max(...scalable.points.map((p) => p[1]));
    return Chart.plot({
      width,
      height: 220,
      label: `Places that a query reads: up to ${most} levels of a scalable filter, one leaf of a tree, one bucket of a fingerprint filter.`,
      x,
      y: { from: 0, to: most + 1, name: "places read", format: (v) => Format.digits(v, 3) },
      series: [{ ...scalable, name: "scalable: levels" }, { ...partition, name: "partition: leaves" },
        { ...fingerprint, name: "fingerprint: buckets" }],
      verticals: [{ at: Math.max(keys, x.from), name: "now: " + Format.short(keys) }],
    });
  },

  /** Grow: the levels of a scalable filter and their fill. */
  levels(answer, width, keys) {
    const used = answer.plan.scalable.levels;
    const first = Math.max(0, used - 12);
    const shown = answer.levels.slice(first, Math.max(first + 4, used + 2));
    const left = 62, row = 24, words = 158;
    const most = Math.log2(shown[shown.length - 1][0]);
    const least = Math.log2(shown[0][0]) - 2;
    let rest = keys - answer.levels.slice(0, first).reduce((sum, level) => sum + level[1], 0);
    let body = "";
    shown.forEach(([bits, held, fpp], i) => {
      const length = ((Math.log2(bits) - least) / (most - least)) * Math.max(40, width - left - words);
      const share = Math.max(0, Math.min(1, rest / held));
      rest -= held;
      body += Chart.text(left - 8, i * row + 15, "end", "level " + (first + i + 1));
      body += Chart.rect(left, i * row + 3, length, row - 9, "room", `rate when full: ${Format.rate(fpp)}`);
      body += Chart.rect(left, i * row + 3, length * share, row - 9, "bar s1");
      body += Chart.text(left + length + 6, i * row + 15, "start", `${Format.short(held)} keys, ${Format.bytes(bits)}`);
    });
    return Chart.svg(width, shown.length * row + 4,
      `${used} levels are in use; each has twice the bits of the one before it.`, body) +
      (first ? `<p class="note">Levels 1 to ${first} are full and not drawn.</p>` : "");
  },

  /** Grow: the partition tree, its top levels. */
  tree(answer, width) {
    const nodes = answer.tree;
    const deepest = Math.max(3, ...nodes.map((n) => n[0]));
    const step = width < 500 ? 34 : 44;
    const height = deepest * step + 36;
    const place = (level, index) => [((index + 0.5) / Math.pow(2, level)) * (width - 20) + 10, 18 + level * step];
    let edges = "";
    let circles = "";
    for (const [level, index, keys, split] of nodes) {
      const [x, y] = place(level, index);
      if (level > 0) {
        const [px, py] = place(level - 1, Math.floor(index / 2));
        edges += Chart.line(px, py, x, y, "edge");
      }
      const size = Math.max(2.5, Math.min(9, (width / Math.pow(2, level)) * 0.3));
      const more = split && level === answer.drawnLevels;
      const kind = split ? (more ? "dot s2" : "dot inner") : keys > 0 ? "dot s1" : "dot empty";
      circles += `<circle class="${kind}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${size.toFixed(1)}"><title>` +
        `${Format.count(keys)} ids${split ? ", split" : ""}</title></circle>`;
    }
    const leaves = nodes.filter((n) => !n[3]).length;
    return Chart.svg(width, height, `The partition tree: ${leaves} leaf nodes among its top ${answer.drawnLevels} levels.`, edges + circles);
  },

  /** Ranges: which cells the first divisions of a range set (Range thesis, Figures 3-1 to 3-7). */
  cover(answer, width) {
    const plan = answer.plan;
    const reach = Math.max(...answer.offsets.map((o) => o[1]));
    const rows = Math.max(...answer.offsets.map((o) => o[0]));
    const divisions = Math.ceil(plan.range / plan.divide);
    const drawn = Math.min(divisions, width < 500 ? 6 : 12);
    const columns = drawn + reach;
    const left = 58;
    const cell = Math.max(5, Math.min(30, (width - left - 8) / columns, 420 / rows));
    const top = 42;
    const times = new Map();
    for (let e = 0; e < drawn; e++) {
      for (const [hash, offset] of answer.offsets) {
        const key = hash + ":" + (e + offset);
        times.set(key, (times.get(key) || 0) + 1);
      }
    }
    let body = "";
    for (let column = 0; column < columns; column++) {
      if (column < drawn && cell > 13) {
        body += Chart.text(left + (column + 0.5) * cell, top - 8, "middle", String(column + 1));
      }
      for (let hash = 1; hash <= rows; hash++) {
        const count = times.get(hash + ":" + column) || 0;
        body += Chart.rect(left + column * cell + 1, top + (hash - 1) * cell + 1, cell - 2, cell - 2,
          count ? `cell set${Math.min(3, count)}` : "cell", `hash function ${hash}: set by ${count} of the drawn keys`);
      }
    }
    const word = plan.divide > 1 ? `groups of ${Format.count(plan.divide)}` : "numbers";
    body += Chart.text(4, 16, "start", `the first ${drawn} ${word} of the range`, "name");
    for (let hash = 1; hash <= rows; hash++) {
      if (cell > 13 || hash === 1 || hash === rows) body += Chart.text(left - 8, top + (hash - 0.5) * cell + 4, "end", "hash " + hash);
    }
    return Chart.svg(Math.ceil(Math.max(width, left + columns * cell)), Math.ceil(top + rows * cell + 6),
      `${times.size} cells are set by the first ${drawn} keys of the range; without sharing it would be ${drawn * plan.hashes}.`, body);
  },

  /** Ranges: the rate around the optimum. */
  around(answer, width) {
    const plan = answer.plan;
    const curves = [
      ["divide", answer.divideCurve.map((p) => [p[1], p[3]]), plan.divide, "divide: numbers per key"],
      ["shift", answer.shiftCurve.map((p) => [p[2], p[3]]), plan.shift, "shift: positions that differ"],
      ["hashes", answer.hashesCurve.map((p) => [p[0], p[3]]), plan.hashes, "hashes, others at their best"],
    ].filter((c) => c[1].length > 1);
    const each = curves.length > 1 && width > 700 ? Math.floor((width - 12 * (curves.length - 1)) / curves.length) : width;
    return `<div class="row">${curves.map(([word, points, at, name]) => Chart.plot({
      width: each,
      height: 220,
      label: `The rate for each ${word}; here it is ${at}.`,
      x: { log: word === "divide" && points[points.length - 1][0] > 20, from: points[0][0], to: points[points.length - 1][0], name, format: Format.short },
      y: { ...Pictures.rates(points.map((p) => p[1])), name: "rate" },
      series: [{ points, kind: "s1" }],
      dots: [{ at: [at, plan.fpp], name: `${word} ${at}: ${Format.rate(plan.fpp)}`, kind: "s2" }],
    })).join("")}</div>`;
  },

  /** Autoscale: the two hills and the decision between them. */
  hills(answer, width) {
    const stored = answer.hits.stored;
    const absent = answer.hits.absent;
    const top = Math.max(...stored, ...absent);
    const visible = stored.map((p, i) => Math.max(p, absent[i]) > top * 1e-4);
    const from = Math.max(0, visible.indexOf(true) - 1);
    const to = Math.min(stored.length - 1, Math.max(visible.lastIndexOf(true) + 1, from + 4));
    const points = (hill) => hill.map((p, i) => [i, p]).slice(from, to + 1);
    return Chart.plot({
      width,
      height: 300,
      label: `How many positions hit: a stored key shows ${Format.digits(answer.hits.px * answer.plan.hashes, 3)} on average, ` +
        `an absent one ${Format.digits(answer.hits.py * answer.plan.hashes, 3)}; the decision is ${answer.plan.decision}.`,
      x: { from, to, name: "positions that hit", format: (v) => Format.digits(v, 4) },
      y: { from: 0, to: top * 1.12, name: "fraction of keys", format: Pictures.percent },
      series: [
        { points: points(absent), kind: "s3", area: true, name: "absent keys" },
        { points: points(stored), kind: "s1", area: true, name: "stored keys" },
      ],
      verticals: [{ at: Math.max(from, answer.plan.decision - 0.5), name: `accepted from ${answer.plan.decision}` }],
    });
  },

  roc(answer, width) {
    return Chart.plot({
      width,
      height: 260,
      label: `ROC curve: at the decision, ${Format.rate(answer.plan.tpr)} of stored and ${Format.rate(answer.plan.fpr)} of absent keys are accepted.`,
      x: { from: 0, to: 1, name: "absent keys accepted (FPR)", format: Pictures.percent },
      y: { from: 0, to: 1, name: "stored keys accepted (TPR)", format: Pictures.percent },
      series: [{ points: answer.roc.map((r) => [r[1], r[2]]), kind: "s1" }],
      dots: [{ at: [answer.plan.fpr, answer.plan.tpr], name: `decision ${answer.plan.decision}`, kind: "s2" }],
    });
  },

  thetas(answer, width) {
    const rows = answer.thetas;
    if (rows.length < 2) return "";
    return Chart.plot({
      width,
      height: 260,
      label: `Accuracy for each theta with its best decision; chosen: theta ${answer.plan.theta}.`,
      x: { from: rows[0][0], to: rows[rows.length - 1][0], name: "theta", format: (v) => Format.digits(v, 5) },
      y: { from: 0.5, to: 1, name: "accuracy", format: Pictures.percent },
      series: [{ points: rows.map((r) => [r[0], r[4]]), kind: "s1" }],
      verticals: [{ at: answer.plan.theta, name: `theta ${Format.count(answer.plan.theta)}` }],
    });
  },
};

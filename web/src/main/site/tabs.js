// The tabs: their fields, the planner that answers each, and what it shows.
"use strict";

const COUNT = { from: 1, to: 1e9, kind: "count" };
const RATE = { from: 1e-9, to: 0.5, kind: "rate" };
const LAYOUT = {
  name: "layout", label: "Layout", type: "choice", value: "classic",
  options: [["classic", "classic"], ["blocked", "blocked"]],
  hint: "Classic: the fewest bits. Blocked: all bits of a key in one block of 512 bits, for one cache miss per query.",
};

const Html = {
  tile(name, value, more, found) {
    return `<div class="tile${found ? " found" : ""}"><dt>${name}</dt><dd><div class="value">${value.replace(/ (%|[KMGT]iB)/, "&#160;$1")}</div>` +
      `<div class="more">${more || ""}</div></dd></div>`;
  },
  tiles: (...tiles) => `<dl class="tiles">${tiles.join("")}</dl>`,
  card: (title, body) => `<section class="card"><h3>${title}</h3>${body}</section>`,
  /** The width of a picture in one of two cards side by side. */
  half: (width) => (width + 38 >= 780 ? Math.floor((width + 18) / 2) - 38 : width),
  picture: (svg) => `<div class="picture">${svg}</div>`,
  /** A notice that a filter is useless, by the rule by which the command line refuses to write it. */
  verdict: (verdict, words) => (verdict === "USELESS" ? `<p class="notice useless">${words}</p>` : ""),
  formula: (text, source) => `<p class="formula"><code>${text}</code><small>${source}</small></p>`,
  /** The Java code, command and JSON of an answer; `key` is the name of the answer on the page. */
  copies(answer, key, title = "Copy the plan") {
    const one = (kind, word, text) => text
      ? `<div class="copy"><pre tabindex="0"${text.length > 2000 ? ' class="long"' : ""} aria-label="${word}">${Format.escape(text)}</pre><button type="button" data-copy="${kind}" data-of="${key}">Copy ${word}</button></div>` : "";
    return Html.card(title, `<div class="copies">${one("java", "Java", answer.java)}` +
      `${one("command", "command", answer.command)}${one("json", "JSON", answer.json)}</div>` +
      (answer.command ? "" : `<p class="note">The command line plans only optima: there is no command for numbers that you choose yourself.</p>`));
  },
};

const Tabs = [
  {
    id: "size",
    title: "How large must the filter be?",
    intro: "Enter any two of keys, false positive rate and size; the third follows. Move a slider to see how it changes.",
    fields: [
      { name: "solve", label: "I want to know", type: "choice", value: "bits",
        options: [["bits", "the size"], ["fpp", "the rate"], ["keys", "the keys"]] },
      { name: "keys", label: "Keys", hint: "the number of distinct keys: 10k, 1M, 2G", value: "1M", slider: COUNT, when: (v) => v.solve !== "keys" },
      { name: "fpp", label: "False positive rate", hint: "the highest rate that you accept: 1%, 0.001, 1/1000", value: "1%", slider: RATE, when: (v) => v.solve !== "fpp" },
      { name: "bits", label: "Size", hint: "in bits, or in bytes with a unit: 9.6M, 64 KiB, 1 MiB", value: "1 MiB", slider: { from: 512, to: 1e11, kind: "count" }, when: (v) => v.solve !== "bits" },
      { name: "hashes", label: "Hashes", hint: "bits set per key; leave it empty for the best number", value: "" },
      LAYOUT,
    ],
    requests: (values, lines) => [{ key: "size", tab: "size", lines: lines(["solve", "keys", "fpp", "bits", "hashes", "layout"]) }],
    render(answers, values, width) {
      const a = answers.size;
      const p = a.plan;
      const twice = a.curve.find((point) => point[0] >= 1.99 * p.keys);
      return Html.tiles(
        Html.tile("Size", Format.bytes(p.bits), Format.counted(p.bits, "bit"), values.solve === "bits"),
        Html.tile("False positive rate", Format.rate(p.fpp), Format.oneIn(p.fpp), values.solve === "fpp"),
        Html.tile("Keys", Format.short(p.keys), Format.count(p.keys), values.solve === "keys"),
        Html.tile("Hashes", Format.count(p.hashes), p.pattern ? `pattern ${p.pattern}: ${Format.counted(Number(p.pattern.split("x")[1]), "bit")} in each of ${Format.counted(Number(p.pattern.split("x")[0]), "word")}` : "bits set per key"),
        Html.tile("Bits per key", Format.digits(p.bitsPerKey, 4), a.floor ? `floor: ${Format.digits(a.floor, 3)}` : ""),
      ) + Html.verdict(a.verdict, "This filter accepts more than half of all absent keys, so its answers mean little: use more bits or fewer keys.") +
        `<p class="say">With ${Format.counted(p.keys, "key")} in ${Format.bytes(p.bits)}, ${p.fpp ? Format.oneIn(p.fpp) || Format.rate(p.fpp) : "none"} of the keys that were never put ${p.fpp > 0.5 ? "are" : "is"} accepted` +
        (twice ? `; with twice the keys it is ${Format.rate(twice[1])}` : "") + `. No key that was put is ever missed.` +
        (p.foldableBits && a.given === "bits" ? ` By default the library uses ${Format.count(p.foldableBits)} bits, a size with many divisors, so that the filter can be folded later.` : "") + "</p>" +
        Html.card("The rate as keys arrive", Html.picture(Pictures.sizeCurve(a, width))) +
        (a.layouts.length ? `<div class="pair">${Html.card("Bits per key compared with others", Html.picture(Pictures.sizeBars(a, Html.half(width))) +
          `<p class="note">Sets are exact and can be listed; they hold 64-bit keys here. The floor is log2(1 / rate): no filter can be smaller.</p>`)}` +
        Html.card("Every block pattern", Pictures.patterns(a)) + "</div>" : "") +
        Html.copies(a, "size") + Html.card("The formula", p.layout === "classic"
          ? Html.formula("rate = (1 − e<sup>−k n / m</sup>)<sup>k</sup>", "n keys, m bits, k hashes. Standard notes, error rate; Folding paper, Eq. 1, with the outer power restored (erratum F1).") +
            Html.formula(`power form (1 − (1 − 1/m)<sup>k n</sup>)<sup>k</sup> = ${p.fppClassic.toPrecision(7)}` + (p.fppExact ? `, exact mean ${p.fppExact.toPrecision(7)}` : ""), "Folding paper, Eq. 1. The exact mean is slightly higher for small filters (erratum C1).")
          : Html.formula("rate = Σ<sub>j</sub> Pr(load = j) · Pr(all bits of the pattern are set | j)", "The mean over the uneven loads of blocks (decision 12 of the project)."));
    },
  },
  {
    id: "fold",
    title: "Fold a filter to any divisor of its size",
    intro: "Cut a filter into equal stripes and lay them over each other: the result is the filter that would have been built at that size. It is smaller and fuller, and no key is lost.",
    fields: [
      { name: "capacity", label: "Unfolded size", hint: "bits, or bytes with a unit; sizes with many divisors fold best", value: "55440", slider: { from: 360, to: 1e9, kind: "smooth" } },
      { name: "keys", label: "Keys", value: "440", slider: { from: 1, to: 1e8, kind: "count" } },
      { name: "hashes", label: "Hashes", hint: "bits set per key; blocked takes 4, 6, 8, 12 or 16", value: "4", slider: { from: 1, to: 24, kind: "count", linear: true } },
      { name: "at", label: "Fold to", hint: "the slider moves along the ladder; empty: the planned size", value: "", type: "rung" },
      { name: "fpp", label: "Wanted rate", value: "1%", slider: RATE },
      { name: "tolerance", label: "Tolerance", hint: "how far the rate may deviate, up or down", value: "0.2%", slider: { from: 1e-6, to: 0.2, kind: "rate" } },
      { name: "sent", label: "Foldings sent", hint: "sizes of the ladder, e.g. 2520, 3080; empty: what the planner would send", value: "" },
      { name: "budget", label: "Bytes per folding", hint: "the maximum size of each folding that is sent", value: "512" },
      { name: "range", label: "Keys, from..to", hint: "for the capacity planner below", value: "1k..1M" },
      LAYOUT,
    ],
    requests: (values, lines) => [
      { key: "fold", tab: "fold", lines: lines(["capacity", "keys", "hashes", "fpp", "tolerance", "layout", "sent", "budget"]) },
      { key: "capacity", tab: "capacity", lines: lines(["range", "fpp", "tolerance", "layout"]), slow: true },
    ],
    /** A blocked filter has whole blocks and the hashes of a pattern: adjusts what a slider or a switch gives. */
    complete(values, name, answers, typed) {
      if (values.layout !== "blocked" || typed) return;
      const capacity = Format.read(values.capacity);
      if (capacity && capacity % 512) values.capacity = String(Page.smooth(capacity, 512));
      const hashes = Format.read(values.hashes);
      const near = [4, 6, 8, 12, 16].sort((a, b) => Math.abs(a - hashes) - Math.abs(b - hashes))[0];
      if (hashes) values.hashes = String(near);
    },
    /** The size of the ladder that is shown. */
    rung(a, values) {
      const asked = Format.read(values.at) || a.plan.target;
      return a.ladder.reduce((best, rung) => (Math.abs(Math.log(rung[0] / asked)) < Math.abs(Math.log(best[0] / asked)) ? rung : best));
    },
    render(answers, values, width) {
      const a = answers.fold;
      const p = a.plan;
      const [size, rate, verdict] = this.rung(a, values);
      const least = a.least ? `the smallest useful folding has ${Format.counted(a.least[0], "bit")} (${Format.bytes(a.least[0])}), with a rate of ${Format.rate(a.least[1])}` : "even the unfolded filter holds too many keys";
      const factor = a.capacity / size;
      const status = { admissible: "inside the band", "smallest-above": "no size is inside the band; this is the next larger one", "over-capacity": "too many keys even unfolded" }[p.status];
      const sent = a.sent.map(([bits, alone, joint]) =>
        `<tr><td>${Format.counted(bits, "bit")}</td><td>${Format.bytes(bits)}</td><td>${Format.rate(alone)}</td><td>${Format.rate(joint)}</td></tr>`).join("");
      return Html.tiles(
        Html.tile("Folded to", Format.bytes(size), Format.counted(size, "bit"), true),
        Html.tile("Factor", Format.count(factor), "stripes laid over each other"),
        Html.tile("False positive rate", Format.rate(rate), Format.oneIn(rate)),
        Html.tile("The plan", Format.counted(p.target, "bit"), status),
        Html.tile("Sizes to choose from", Format.count(a.ladder.length), "divisors, the whole ladder"),
      ) + Html.verdict(verdict, `Folded this far, the filter accepts more than half of all absent keys: ${least}.`) + Html.card("The cells", `<div class="cells"><div><canvas id="unfolded" role="img"></canvas><p id="unfolded-words"></p></div>` +
        `<div><canvas id="folded" role="img"></canvas><p id="folded-words"></p></div></div>`) +
        Html.card("The ladder", Html.picture(Pictures.ladder(a, width, [size, rate]))) +
        Html.card("Several foldings, queried together", (sent
          ? `<table><caption>A receiver of several small foldings of one filter queries all of them: a key passes only if it passes each.</caption><thead><tr><th scope="col">folding</th><th scope="col">bytes</th><th scope="col">rate alone</th><th scope="col">rate together so far</th></tr></thead><tbody>${sent}</tbody></table>`
          : `<p>Enter sizes of the ladder as “Foldings sent”, or bytes in the field below it.</p>`) +
          Html.verdict(a.verdict, `Even together these foldings accept more than half of all absent keys: ${least}. Allow more bytes for each, or send more of them.`) +
          (a.verdict === "POOR" ? `<p class="say">Together they have more than twice the target rate: send more, or allow more bytes for each.</p>` : "") +
          (a.next && a.nextVerdict === "USELESS" ? "" : a.next ? `<p class="say">Next within the budget: <strong>${Format.counted(a.next.next, "bit")}</strong> (${Format.bytes(a.next.next)}), after which the joint rate is ${Format.rate(a.next.jointFpp)}.</p>`
            : values.budget && !a.full ? `<p class="say">No other folding within these bytes adds information.</p>` : "")) +
        `<div id="capacity-card" class="stack">${this.capacity(answers.capacity, width)}</div>` +
        Html.copies(a, "fold", "Copy the fold") + Html.card("The formulas",
          Html.formula("b′(i) = b(i) OR b(i + m′) OR b(i + 2m′) …", "m′ is the folded size. Folding paper, Eq. 3, with cells counted from 0 (erratum F4).") +
          Html.formula("m(r) = 1 / (1 − (1 − r<sup>1/k</sup>)<sup>1/(k n)</sup>)", "The size that has rate r; the band is between m(target + tolerance) and m(target − tolerance). Folding paper, Eq. 14, corrected (erratum F2).") +
          Html.formula("joint rate of sizes a and b: Pr(both bits set)<sup>k</sup>, with gcd(a, b) in common", "Folding paper, Section IV-C, entropy policy (erratum F15)."));
    },
    capacity(a, width) {
      if (!a) return Html.card("A capacity for a range of keys", `<p>Searching …</p>`);
      if (a.error) return Html.card("A capacity for a range of keys", `<p class="notice">${Format.escape(a.error)}</p>`);
      const p = a.plan;
      const row = (name, fit, here) => `<tr${here ? ' class="here"' : ""}><td>${name}</td><td>${Format.count(fit.capacity)}</td><td>${Format.digits(fit.meanOversize, 4)} ×</td><td class="extra">${Format.digits(fit.worstOversize, 4)} ×</td><td>${Format.rate(fit.bandShare)}</td></tr>`;
      return Html.card(`A capacity for ${Format.short(p.keys[0])} to ${Format.short(p.keys[1])} keys`,
        `<p>A set that grows or shrinks within this range uses the next larger size of the ladder. How much larger is that than needed?</p>` +
        Html.picture(Pictures.capacity(a, width)) +
        `<table><thead><tr><th scope="col">capacity</th><th scope="col">bits</th><th scope="col">average oversize</th><th scope="col" class="extra">worst</th><th scope="col">in the band</th></tr></thead><tbody>` +
        row("chosen", p, true) + row("highly composite", p.highlyComposite) + row("power of two", p.powersOfTwo) + "</tbody></table>") +
        Html.copies(a, "capacity", "Copy the capacity");
    },
    after(panel, answers, values) {
      const a = answers.fold;
      const [size] = this.rung(a, values);
      const sizes = a.ladder.map((rung) => rung[0]);
      const model = Cells.model(a.capacity, a.cellBits, a.keys, a.hashes, sizes, size);
      const cells = Cells.fill(model);
      let factor = a.capacity / size;
      if (model.cells % factor) factor = 1;
      const folded = Cells.fold(cells, factor);
      const style = getComputedStyle(document.documentElement);
      const colours = { set: style.getPropertyValue("--s1"), key: style.getPropertyValue("--s2"), clear: style.getPropertyValue("--room") };
      const columns = Cells.columns(model.cells, folded.length);
      const draw = (id, set, words) => {
        const canvas = panel.querySelector("#" + id);
        Cells.draw(canvas, set, columns, folded.length, colours);
        canvas.setAttribute("aria-label", words);
        panel.querySelector(`#${id}-words`).textContent = words;
      };
      const scale = model.fraction > 1 ? `, drawn at 1 : ${Format.count(model.fraction)}` : "";
      const blocks = a.cellBits > 1 ? " blocks" : " cells";
      draw("unfolded", cells, `Unfolded: ${Format.rate(Cells.share(cells))} of ${Format.count(model.cells)}${blocks} are set${scale}. The cells of one key are highlighted.`);
      draw("folded", folded, factor === 1 && size !== a.capacity ? "A folding this small cannot be drawn at this scale." : `Folded by ${Format.count(factor)}: ${Format.rate(Cells.share(folded))} of ${Format.count(folded.length)}${blocks} are set.`);
    },
  },
  {
    id: "grow",
    title: "When you do not know how many keys will come",
    intro: "Three filters that grow while their false positive rate stays bounded: levels that double, a tree over ids that splits, and prefixes of hashes. Each has its own costs.",
    fields: [
      { name: "keys", label: "Keys now", hint: "move the slider: levels fill, the tree splits", value: "40k", slider: { from: 1, to: 1e10, kind: "count" } },
      { name: "fpp", label: "False positive rate", hint: "never exceeded, regardless of the number of keys", value: "1%", slider: { from: 1e-9, to: 0.2, kind: "rate" } },
      { name: "initial", label: "First level, keys", value: "1k", slider: { from: 10, to: 1e8, kind: "count" } },
      { name: "horizon", label: "Horizon, keys", hint: "the number of keys up to which levels share the rate equally", value: "1G", slider: { from: 1e4, to: 1e12, kind: "count" } },
      { name: "universe", label: "Ids, for the tree", hint: "how many different ids there are: 2^30, 1G", value: "2^30" },
      { name: "unitkeys", label: "Ids in a unit", hint: "a leaf with more keys splits", value: "1024", slider: { from: 16, to: 1e6, kind: "count" } },
      { name: "spread", label: "Ids are spread", type: "choice", value: "even", options: [["even", "evenly"], ["crowded", "in clusters"]] },
      LAYOUT,
    ],
    requests: (values, lines) => [{ key: "grow", tab: "grow", lines: lines(["keys", "fpp", "initial", "horizon", "universe", "unitkeys", "spread", "layout"]) }],
    render(answers, values, width) {
      const a = answers.grow;
      const p = a.plan;
      const keys = p.keys;
      const levels = `${p.scalable.levels} level${p.scalable.levels > 1 ? "s" : ""}`;
      const row = (name, at, places) => at
        ? `<tr><td>${name}</td><td>${Format.bytes(at.bits)}</td><td>${Format.digits(at.bitsPerKey, 3)}</td><td>${Format.rate(at.fpp)}</td><td class="extra">${places}</td></tr>`
        : `<tr><td>${name}</td><td colspan="4">there are fewer ids than keys</td></tr>`;
      return Html.tiles(
        Html.tile("Scalable", Format.digits(p.scalable.bitsPerKey, 3), `bits per key in ${levels}`),
        Html.tile("Partition tree", p.partition ? Format.digits(p.partition.bitsPerKey, 3) : "–", p.partition ? `bits per key in ${Format.count(p.partition.populatedLeaves)} ${p.partition.populatedLeaves === 1 ? "leaf" : "leaves"}` : "fewer ids than keys"),
        Html.tile("Fingerprint", Format.digits(p.fingerprint.bitsPerKey, 3), "bits per key, any keys"),
        Html.tile("One fixed filter", Format.bytes(p.fixedBits), "sized for the horizon from the start"),
      ) + Html.card("Bits per key as keys arrive", Html.picture(Pictures.growth(a, width, keys))) +
        Html.card(`With ${Format.count(keys)} key${keys === 1 ? "" : "s"}`, `<table><thead><tr><th scope="col">filter</th><th scope="col">memory</th><th scope="col">bits per key</th><th scope="col">rate, at most</th><th scope="col" class="extra">places read</th></tr></thead><tbody>` +
          row("scalable", p.scalable, levels) +
          row("partition tree", p.partition, p.partition && `${p.partition.steps} steps, 1 leaf`) +
          row("fingerprint", p.fingerprint, "1 bucket") + `</tbody></table><p class="note">The tree is that of evenly spread ids, with leaves folded to fit their keys. The ids that it keeps for exact counts and removals are not included.</p>`) +
        `<div class="pair">${Html.card("Scalable: the levels fill", Html.picture(Pictures.levels(a, Html.half(width), keys)))}` +
        Html.card("Partition: the tree splits", Html.picture(Pictures.tree(a, Html.half(width))) +
          `<p class="note">Filled dots are leaves with a filter, rings are split nodes. Orange rings are split further than drawn. ${p.partition ? `A leaf holds at most ${Format.counted(p.partition.unitKeys, "id")} in ${Format.counted(p.partition.allocatedUnitBits, "bit")}.` : ""}</p>`) + "</div>" +
        Html.card("Places that a query reads", Html.picture(Pictures.probes(a, width, keys))) +
        Html.copies(a, "grow") + Html.card("The formulas",
          Html.formula("unit bits = −n k / ln(1 − f<sup>1/k</sup>)", "n ids of a unit at rate f. Partition paper, Eq. 1; for the leaves of the tree see Definition 2.4 (erratum D4).") +
          Html.formula("Σ level rates ≤ rate", "Levels of a scalable filter have equal shares up to the horizon; each later one has half the share of its predecessor (decision 5 of the project).") +
          Html.formula("rate after X doublings = c (X + 2) / 2<sup>10 + slack</sup>", "Fingerprint filter with c keys in a chunk of 512 buckets (decision 20 of the project)."));
    },
  },
  {
    id: "window",
    title: "Seen within the last 24 hours?",
    intro: "A filter whose keys expire: time is cut into generations, a new one begins at every rotation, and the oldest is dropped. One lookup answers for all of them.",
    fields: [
      { name: "keys", label: "Keys per window", hint: "distinct keys that come within one window", value: "50M", slider: COUNT },
      { name: "fpp", label: "False positive rate", hint: "of all generations together, at most", value: "0.1%", slider: RATE },
      { name: "window", label: "Window", hint: "how long a key is found: 24h, 15m, 1h30m", value: "24h" },
      { name: "generations", label: "Generations", type: "choice", value: "7", hint: "more of them: keys expire more exactly",
        options: [["3", "3"], ["7", "7"], ["15", "15"], ["31", "31"]] },
      { name: "pergeneration", label: "Keys per generation", hint: "empty: 1.1 times an even share. Keys that come all the time are in every generation", value: "" },
    ],
    requests: (values, lines) => [{ key: "window", tab: "window", lines: lines(["keys", "fpp", "window", "generations", "pergeneration"]) }],
    render(answers, values, width) {
      const a = answers.window;
      const p = a.plan;
      const rows = a.choices.map(([generations, bits, perKey, gone, pattern]) =>
        `<tr${generations === p.generations ? ' class="here"' : ""}><td>${generations}</td><td>${Format.span(gone)}</td><td>${Format.bytes(bits)}</td><td>${Format.digits(perKey, 3)}</td><td class="extra">${pattern}</td></tr>`).join("");
      return Html.tiles(
        Html.tile("Size", Format.bytes(p.bits), Format.counted(p.bits, "bit"), true),
        Html.tile("Bits per live key", Format.digits(p.bitsPerLiveKey, 3), `room for ${Format.short(p.keysPerGeneration)} keys in each generation`),
        Html.tile("Found for", Format.span(a.windowMillis), "after a key was put or refreshed"),
        Html.tile("Gone after", Format.span(a.goneMillis), "at the latest"),
        Html.tile("False positive rate", Format.rate(p.fpp), Format.oneIn(p.fpp)),
      ) + Html.card("The rate as keys come", Html.picture(Pictures.windowCurve(a, width)) +
          `<p class="note">Just before a rotation, when all generations are fullest. An elastic ring follows the load; prefixes need no number of keys at all.</p>`) +
        `<div class="pair">${Html.card("Bits per live key", Html.picture(Pictures.windowBars(a, Html.half(width))) + `<p class="note">One plain filter never forgets. Two that are rotated by hand find a key for up to twice the window. Prefixes need no number of keys.</p>`)}` +
        Html.card("How many generations", `<table><thead><tr><th scope="col">generations</th><th scope="col">gone after</th><th scope="col">memory</th><th scope="col">bits per key</th><th scope="col" class="extra">pattern</th></tr></thead><tbody>${rows}</tbody></table>`) + "</div>" +
        Html.copies(a, "window") + Html.card("The formulas",
          Html.formula("rate = 1 − (1 − q)<sup>G + 1</sup>", "q the rate of one full generation: G of them make a window, and one more is being filled. Decision 29 of the project.") +
          Html.formula("found in [t, t + T), gone by t + T (1 + 1/G)", "for a key that is put at time t, T the window."));
    },
  },
  {
    id: "ranges",
    title: "Numeric ranges in a few hundred bits",
    intro: "A filter can hold the range 20..30 so that 25 matches. Neighboring numbers share keys (divide) or positions (shift), which saves bits at the price of a few false neighbors.",
    fields: [
      { name: "what", label: "Plan", type: "choice", value: "one", options: [["one", "one attribute"], ["profile", "a profile of several"]] },
      { name: "bits", label: "Size of the filter", hint: "bits, or bytes with a unit", value: "512", slider: { from: 32, to: 65536, kind: "count" } },
      { name: "domain", label: "Values in the domain", hint: "how many values the attribute can have", value: "120", slider: { from: 10, to: 1e9, kind: "count" }, when: (v) => v.what !== "profile" },
      { name: "range", label: "Length of the range", hint: "how many of these values are in the range", value: "40", slider: { from: 1, to: 1e6, kind: "count" }, when: (v) => v.what !== "profile" },
      { name: "strings", label: "Text attributes", hint: "one key each", value: "5", when: (v) => v.what === "profile" },
      { name: "attribute", label: "Numeric attributes", hint: "one per line, NAME:VALUES:LENGTH", type: "area", when: (v) => v.what === "profile",
        value: "Age:120:10\nYear:201:20\nIncome:5000001:500000\nLongitude:3600001:100\nLatitude:1800001:100" },
      { name: "maxhashes", label: "Hashes, at most", hint: "all numbers up to this one are tried; at most 64", value: "24", slider: { from: 1, to: 64, kind: "count", linear: true } },
      { name: "hashes", label: "Hashes", hint: "empty: the best", value: "", type: "whole", when: (v) => v.what !== "profile" },
      { name: "divide", label: "Divide", hint: "numbers that share a key; empty: the best", value: "", type: "whole", when: (v) => v.what !== "profile" && (v.scheme === "both" || v.scheme === "division") },
      { name: "shift", label: "Shift", hint: "positions in which neighbors differ; empty: the best", value: "", type: "whole", when: (v) => v.what !== "profile" && (v.scheme === "both" || v.scheme === "overlapping") },
      { name: "scheme", label: "Scheme", type: "select", value: "both",
        options: [["both", "both: divide and shift"], ["division", "division: share keys"], ["overlapping", "overlapping: share positions"], ["plain", "plain: every number a key"]] },
    ],
    example: "Load the ten-attribute profile",
    free: ["hashes", "divide", "shift"],
    /** Moving one of the three keeps the others where they are. */
    complete(values, name, answers) {
      const p = answers.range && answers.range.plan;
      if (!p || !values[name] || (name !== "divide" && name !== "shift")) return;
      for (const other of this.free) values[other] = values[other] || String(p[other]);
    },
    whole(answers) {
      const p = answers.range && answers.range.plan;
      return p ? { hashes: [1, 64, p.hashes], divide: [1, Math.min(p.range, Math.max(32, 8 * p.divide)), p.divide], shift: [1, p.hashes, p.shift] } : {};
    },
    requests(values, lines) {
      if (values.what !== "profile") {
        return [{ key: "range", tab: "range", lines: lines(["bits", "domain", "range", "maxhashes", "hashes", "divide", "shift", "scheme"]), slow: !values.hashes.trim() }];
      }
      const most = Format.read(values.maxhashes);
      const base = lines(["bits", "strings", "attribute", "scheme"]);
      const steps = [];
      for (let k = 1; k <= most && most <= 64; k++) steps.push(base + "\nhashes=" + k);
      return [{ key: "profile", tab: "profile", lines: lines(["bits", "strings", "attribute", "maxhashes", "scheme"]), slow: true, steps }];
    },
    render(answers, values, width) {
      return values.what === "profile" ? this.profile(answers.profile, width) : this.one(answers.range, values, width);
    },
    formulas() {
      return Html.card("The formulas",
        Html.formula("bits set = (n − 1) s / d + k", "n numbers, divide d, shift s, k hashes. Range thesis, Eq. 3-11.") +
          Html.formula("positions of e: hash j of e + i, for j = 1 … s, i = 0, 1, … until there are k", "Range thesis, Eq. 3-6 (erratum R4).") +
          Html.formula("rate: the average over all numbers outside the range, with near neighbors counted separately", "Range thesis, Eq. 3-13; for several attributes Eq. 3-15 (erratum R7)."));
    },
    one(a, values, width) {
      const p = a.plan;
      const chosen = this.free.some((name) => values[name].trim());
      return Html.tiles(
        Html.tile("False positive rate", Format.rate(p.fpp), Format.oneIn(p.fpp), true),
        Html.tile("Divide", Format.count(p.divide), "neighbors that share a key"),
        Html.tile("Shift", Format.count(p.shift), "positions in which neighbors differ"),
        Html.tile("Hashes", Format.count(p.hashes), "positions of a number"),
        Html.tile("Bits set", Format.digits(p.insertionBits, 4), `of ${Format.count(p.bits)}, by one range`),
      ) + (p.exactIsSmaller ? `<p class="notice">Storing both ends of the range exactly takes ${Format.counted(p.exactBits, "bit")}, less than this filter. A filter pays off if many attributes share it, or if its values must stay hidden.</p>` : "") +
        Html.card("Which cells the range sets", Html.picture(Pictures.cover(a, width)) + `<p class="note">Each column is the next ${p.divide > 1 ? "group of numbers" : "number"}; the darker a cell, the more of them share it. Move hashes, divide and shift to see the effect.</p>`) +
        (a.divideCurve.length + a.shiftCurve.length + a.hashesCurve.length > 2
          ? Html.card(chosen ? "Around what you chose" : "Around the optimum", Pictures.around(a, width)) : "") + Html.copies(a, "range") + this.formulas();
    },
    profile(a, width) {
      const p = a.plan;
      const rows = p.attributes.map((t) => `<tr><td>${Format.escape(t.name)}</td><td class="extra">${Format.count(t.domain)}</td><td class="extra">${Format.count(t.range)}</td><td>${Format.count(t.divide)}</td><td>${t.shift}</td><td>${Format.digits(t.insertionBits, 4)}</td><td>${Format.rate(t.fpp)}</td></tr>`).join("");
      const curve = (a.steps || []).map((step, i) => [i + 1, step.plan ? step.plan.averageFpp : null]).filter((point) => point[1]);
      return Html.tiles(
        Html.tile("Mean rate", Format.rate(p.averageFpp), Format.oneIn(p.averageFpp), true),
        Html.tile("Hashes", Format.count(p.hashes), "for all attributes"),
        Html.tile("Bits set", Format.digits(p.totalBits, 4), `of ${Format.count(p.bits)}`),
        Html.tile("Rate of a text", Format.rate(p.stringFpp), `${p.strings} of them`),
        Html.tile("Stored exactly", Format.counted(p.exactBits, "bit"), "both ends of every range"),
      ) + Html.card("Each attribute", `<table><thead><tr><th scope="col">attribute</th><th scope="col" class="extra">values</th><th scope="col" class="extra">range</th><th scope="col">divide</th><th scope="col">shift</th><th scope="col">bits set</th><th scope="col">rate</th></tr></thead><tbody>${rows}</tbody></table>`) +
        (curve.length > 1 ? Html.card("The best average rate for each number of hashes", Html.picture(Chart.plot({
          width, height: 240, label: `The best average rate for 1 to ${curve.length} hashes; the best is ${p.hashes}.`,
          x: { from: 1, to: curve[curve.length - 1][0], name: "hashes", format: Format.short },
          y: { ...Pictures.rates(curve.map((c) => c[1])), name: "mean rate" },
          series: [{ points: curve, kind: "s1" }],
          dots: [{ at: [p.hashes, p.averageFpp], name: `${p.hashes} hashes: ${Format.rate(p.averageFpp)}`, kind: "s2" }],
        }))) : "") + Html.copies(a, "profile") + this.formulas();
    },
  },
  {
    id: "autoscale",
    title: "When the size is fixed and there are too many keys",
    intro: "Counters instead of bits, compared with two thresholds: a position hits if its counter exceeds theta, and a key is accepted if at least “decision” of its positions hit. Such a filter may miss stored keys, but it still distinguishes keys where a plain filter would accept all of them.",
    fields: [
      { name: "bits", label: "Counters", value: "10k", slider: { from: 100, to: 1e6, kind: "count" } },
      { name: "hashes", label: "Hashes", hint: "distinct positions per key, up to 1000", value: "100", slider: { from: 1, to: 1000, kind: "count" } },
      { name: "keys", label: "Keys", value: "500", slider: { from: 1, to: 1e5, kind: "count" } },
      { name: "mintpr", label: "Find at least", hint: "the fraction of stored keys that must be found", value: "97%" },
      { name: "criterion", label: "Tune for", type: "select", value: "accuracy",
        options: [["accuracy", "accuracy"], ["cost", "cost of wrong answers"], ["f1", "F1: precision, recall"], ["mcc", "MCC: correlation"]] },
      { name: "share", label: "Stored keys among the queries", value: "50%", when: (v) => v.criterion !== "accuracy" },
      { name: "costfp", label: "Cost of a false positive", value: "1", when: (v) => v.criterion === "cost" },
      { name: "costfn", label: "Cost of a missed key", value: "1", when: (v) => v.criterion === "cost" },
      { name: "theta", label: "Theta", hint: "a position hits if its counter is above this; empty: the best", value: "", type: "whole" },
      { name: "decision", label: "Decision", hint: "the number of hits that a key needs; empty: the best", value: "", type: "whole" },
    ],
    free: ["theta", "decision"],
    complete(values, name, answers) {
      const p = answers.autoscale && answers.autoscale.plan;
      if (p && name === "decision" && values.decision && !values.theta) values.theta = String(p.theta);
    },
    whole(answers) {
      const a = answers.autoscale;
      if (!a || !a.plan || !a.thetas) return {};
      const last = a.thetas.length ? a.thetas[a.thetas.length - 1][0] : 10;
      return { theta: [a.thetas.length ? a.thetas[0][0] : 0, Math.max(last, a.plan.theta), a.plan.theta], decision: [0, a.plan.hashes, a.plan.decision] };
    },
    requests(values, lines) {
      const base = lines(["bits", "hashes", "keys", "mintpr", "criterion", "share", "costfp", "costfn"]);
      const all = base + "\n" + lines(["theta", "decision"]);
      // if only the thresholds move, only they are computed immediately; the rest stays
      return [{ key: "autoscale", tab: "autoscale", slow: true, lines: all, base, quick: values.theta.trim() ? "brief=1\n" + all : "" }];
    },
    render(answers, values, width) {
      const a = answers.autoscale;
      const p = a.plan;
      if (!a.hits) return `<p class="notice">There are no keys, so there is nothing to tune.</p>`;
      const rows = a.criteria.map(([word, theta, decision, tpr, fpr, score]) =>
        `<tr${word === p.criterion ? ' class="here"' : ""}><td>${{ accuracy: "accuracy", cost: "cost", f1: "F1", mcc: "MCC" }[word]}</td><td>${Format.count(theta)}</td><td>${decision}</td><td>${Format.rate(tpr)}</td><td>${Format.rate(fpr)}</td><td class="least">${Format.digits(Math.abs(score), 4)}</td></tr>`).join("");
      return Html.tiles(
        Html.tile("Theta", Format.count(p.theta), "a position hits above this count", true),
        Html.tile("Decision", Format.count(p.decision), `of ${p.hashes} positions must hit`, true),
        Html.tile("Stored keys found", Format.rate(p.tpr), "true positive rate, TPR"),
        Html.tile("Absent keys accepted", Format.rate(p.fpr), "false positive rate, FPR"),
        Html.tile("Accuracy", Format.rate(p.accuracy), `${p.counterBits === 1 ? "1 bit per counter suffices" : `${p.counterBits} bits per counter suffice`}`),
      ) + `<p class="say">The best plain filter of ${Format.counted(p.bits, "bit")} would use ${p.plainHashes} hash${p.plainHashes > 1 ? "es" : ""} and accept ${Format.rate(p.plainFpr)} of absent keys, missing none: ` +
        (p.plainAccuracy >= p.accuracy ? "it is the better choice if you can choose the number of hashes." : "these thresholds are better.") +
        (p.likelihoodAccuracy ? ` With likelihoods instead of thresholds, the same counters reach an accuracy of ${Format.rate(p.likelihoodAccuracy)}.` : "") + "</p>" +
        Html.card("Two hills and a cut", Html.picture(Pictures.hills(a, width))) +
        `<div class="pair">${Html.card("ROC curve at this theta", Html.picture(Pictures.roc(a, Html.half(width))))}${Html.card("Accuracy for each theta", Html.picture(Pictures.thetas(a, Html.half(width))))}</div>` +
        Html.card("The optimum for each criterion", `<table><thead><tr><th scope="col">tuned for</th><th scope="col">theta</th><th scope="col">decision</th><th scope="col">TPR</th><th scope="col">FPR</th><th scope="col" class="least">score</th></tr></thead><tbody>${rows}</tbody></table>`) +
        Html.copies(a, "autoscale") + Html.card("The formulas",
          Html.formula("TPR = Pr(Bin(k, px) ≥ decision), px = Pr(Bin(n − 1, k/m) ≥ theta)", "Autoscaling paper, Eq. 17 and Eq. 19 (erratum A4).") +
          Html.formula("FPR = Pr(Bin(k, py) ≥ decision), py = Pr(Bin(n, k/m) &gt; theta)", "Autoscaling paper, Eq. 18 and Eq. 20; for the optimum Eq. 21 and Eq. 22 (errata A5, A6)."));
    },
  },
];

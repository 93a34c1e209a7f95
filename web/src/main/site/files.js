// A filter file on the page: opened by dropping or choosing it, described, queried, folded and saved.
// Reading, asking and folding are the library's own, compiled; here is only what is drawn.

const Files = {
  bytes: null,
  name: "",
  info: null,
  folded: null,

  /** Opens bytes, with the secret key in hexadecimal digits if there is one. */
  open(bytes, name, key) {
    Files.bytes = bytes;
    Files.name = name;
    Files.folded = null;
    Files.info = JSON.parse(bellows.open(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), key || ""));
    Files.show();
    return Files.info;
  },

  async read(file) {
    try {
      Files.open(new Uint8Array(await file.arrayBuffer()), file.name);
    } catch (failed) {
      Files.info = { error: `${file.name} cannot be read: ${failed.message}` };
      Files.show();
    }
  },

  /** The word for an answer of this kind. */
  word(isIn) {
    return isIn ? "maybe" : Files.info.certain ? "no" : "probably not";
  },

  /** Answers for lines of text: pairs of the line and its word. */
  ask(lines) {
    const asked = lines.split("\n").map((line) => line.replace(/\r$/, "")).filter((line) => line !== "");
    if (asked.length === 0) return [];
    const form = document.getElementById("file-form");
    const answer = JSON.parse(bellows.ask(asked.join("\n"), form ? form.value : "text"));
    if (answer.error) throw new Error(answer.error);
    return asked.map((line, i) => [line, answer.answers[i] === "1"]);
  },

  rows(info) {
    const rows = [
      ["kind", info.kind],
      ["layout", info.layout && info.layout + (info.pattern ? ` ${info.pattern}` : "")],
      ["size", `${Format.count(info.bits)} bits, ${Format.count(info.bytes)} bytes in a file`],
      ["hashes", info.hashes],
      ["hash scheme", info.scheme],
      ["keys are", info.keyType],
      ["keys, estimated", info.approximateKeys === null ? null : Format.count(Math.round(info.approximateKeys))],
      ["false positives", Format.rate(info.expectedFpp)],
      ["built for", info.fpp === null ? null : Format.rate(info.fpp)],
      ["parts", info.parts],
      ["columns", info.columns],
      ["window", info.window === undefined ? null : Files.span(info.window)],
      ["clock", info.now === undefined || info.now === null ? null : new Date(info.now).toISOString()],
    ];
    return rows.filter((row) => row[1] !== null && row[1] !== undefined && row[1] !== "")
      .map(([name, value]) => `<dt>${name}</dt><dd>${Format.escape(String(value))}</dd>`).join("");
  },

  /** A duration in the largest unit that divides it. */
  span(millis) {
    const [size, word] = [[86400000, "days"], [3600000, "hours"], [60000, "minutes"], [1000, "seconds"], [1, "milliseconds"]].find(([unit]) => millis % unit === 0);
    return `${Format.count(millis / size)} ${millis === size ? word.slice(0, -1) : word}`;
  },

  /** Why a file has no answers, and what to do with it. */
  notAsked(info) {
    return { delta: "A delta holds what changed in another filter: <code>bellows receive</code> adds it to a copy, which answers.",
      "frozen-part": "This part has later columns: <code>bellows receive</code> adds it to the first part, which answers." }[info.kind] || `A filter of kind ${info.kind} cannot be queried.`;
  },

  /** The generations of a window, oldest first: a bar each, as long as its share of the keys. */
  generations(info) {
    if (!info.generations || info.generations.length === 0) return "";
    const most = Math.max(1, ...info.generations.map((one) => one[2]));
    // as many digits as tell generations apart
    const time = (millis) => new Date(millis).toISOString().slice(0, info.window >= 3600000 ? 16 : 23).replace("T", " ");
    const rows = info.generations.map(([from, , keys, rate]) => `<tr><td>${time(from)}</td><td class="number">${Format.count(Math.round(keys))}</td>` +
      `<td class="number">${Format.rate(rate)}</td><td><svg class="gauge" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="10"/>` +
      `<rect class="ones" width="${(100 * keys / most).toFixed(2)}" height="10"/></svg></td></tr>`).join("");
    return `<h3>Generations</h3><table class="generations"><thead><tr><th>from, UTC</th><th>keys</th><th>false positives</th><th></th></tr></thead><tbody>${rows}</tbody></table>`;
  },

  gauge(info) {
    if (info.fill === null) return "";
    const percent = (100 * info.fill).toFixed(2);
    return `<svg class="gauge" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${percent} % of the bits are one"><rect width="100" height="10"/>` +
      `<rect class="ones" width="${percent}" height="10"/></svg><p>${Format.count(info.ones)} of ${Format.count(info.bits)} bits are one: ${percent} %.</p>`;
  },

  show() {
    const shown = document.getElementById("file-shown");
    const info = Files.info;
    if (info.error) {
      shown.innerHTML = `<p class="notice" role="alert">${Format.escape(info.error)}</p>`;
      return;
    }
    const key = info.locked ? `<div class="field"><label for="file-key">Secret key</label><span class="hint">Its keys were hashed with one: 32 hexadecimal digits. It stays in this page.</span>` +
      `<input type="text" id="file-key" autocomplete="off" spellcheck="false"><p class="wrong" id="file-key-wrong"></p></div>` : "";
    const what = { keys: "Keys, one per line", ids: "Ids, one per line", attributes: "NAME=VALUE, one per line" }[info.asks];
    const forms = { text: "text", longs: "whole numbers", bytes: "bytes in hexadecimal digits" };
    const usual = info.keyType === "ids" ? "longs" : info.keyType in forms ? info.keyType : "text";
    const form = info.asks === "keys" ? `<label for="file-form">The keys are</label> <select id="file-form">${Object.entries(forms)
      .map(([value, words]) => `<option value="${value}"${value === usual ? " selected" : ""}>${words}</option>`).join("")}</select>` : "";
    const ask = !what ? `<p>${Files.notAsked(info)}</p>` : info.locked ? "" :
      `<div class="field"><label for="file-keys">${what}</label>${info.certain ? "" : `<span class="hint">A key that is stored may be missed by this kind: its "no" is not certain.</span>`}` +
      `<textarea id="file-keys" spellcheck="false"></textarea>${form}<p class="wrong" id="file-keys-wrong"></p></div><ul id="file-answers" aria-label="Answers"></ul>`;
    const last = info.ladder.length - 1;
    const fold = { size: last < 1 ? "" : `<div class="field"><label for="file-fold">Fold it</label><input type="range" id="file-fold" min="0" max="${last}" value="${last}"></div><p id="file-folded"></p>`,
      rate: `<div class="field"><label for="file-rate">Fold it to a rate</label><input type="text" id="file-rate" value="10%" autocomplete="off"><p class="wrong" id="file-rate-wrong"></p></div><p id="file-folded"></p>`,
      none: `<p>A filter of kind ${info.kind} does not fold.</p>` }[info.folds];
    shown.innerHTML = `<div class="opened"><div><h2>${Format.escape(Files.name)}</h2><dl>${Files.rows(info)}</dl>${Files.gauge(info)}${Files.generations(info)}</div>` +
      `<div>${key}${ask}</div><div>${fold}</div></div>`;
  },

  answer() {
    const wrong = document.getElementById("file-keys-wrong");
    const list = document.getElementById("file-answers");
    try {
      list.innerHTML = Files.ask(document.getElementById("file-keys").value)
        .map(([line, isIn]) => `<li><span class="${isIn ? "yes" : ""}">${Files.word(isIn)}</span> ${Format.escape(line)}</li>`).join("");
      wrong.textContent = "";
    } catch (refused) {
      list.innerHTML = "";
      wrong.textContent = refused.message;
    }
  },

  /** Folds to a size of the ladder, or to a rate if the size is 0, and offers the file for download. */
  fold(bits, fpp) {
    const folded = JSON.parse(bellows.fold(bits, fpp));
    const line = document.getElementById("file-folded");
    if (folded.error) {
      line.innerHTML = `<span class="notice">${Format.escape(folded.error)}</span>`;
      return folded;
    }
    Files.folded = Uint8Array.from(bellows.folded());
    const name = Files.name.replace(/(\.[^.]*)?$/, ".folded$1");
    line.innerHTML = `${Format.count(folded.bits)} bits, ${Format.count(folded.bytes)} bytes, false positives ${Format.rate(folded.expectedFpp)}. ` +
      `<button type="button" class="plain" id="file-save" data-name="${Format.escape(name)}">Save ${Format.escape(name)}</button>`;
    return folded;
  },

  save(name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([Files.folded], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  },

  start() {
    const box = document.getElementById("file");
    document.getElementById("file-input").addEventListener("change", (event) => {
      if (event.target.files.length) Files.read(event.target.files[0]);
    });
    const drop = document.getElementById("file-drop");
    for (const type of ["dragenter", "dragover"]) {
      addEventListener(type, (event) => {
        event.preventDefault();
        drop.classList.add("over");
      });
    }
    addEventListener("dragleave", () => drop.classList.remove("over"));
    addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      if (event.dataTransfer.files.length) Files.read(event.dataTransfer.files[0]);
    });
    box.addEventListener("input", (event) => {
      if (event.target.id === "file-keys" || event.target.id === "file-form") Files.answer();
      if (event.target.id === "file-fold") Files.fold(Files.info.ladder[event.target.value][0], 0);
      if (event.target.id === "file-rate") {
        const rate = Format.read(event.target.value);
        document.getElementById("file-rate-wrong").textContent = rate > 0 && rate < 1 ? "" : "a rate is between 0 and 1, e.g. 5%";
        if (rate > 0 && rate < 1) Files.fold(0, rate);
      }
      if (event.target.id === "file-key" && event.target.value.trim().length === 32) {
        const opened = JSON.parse(bellows.open(new Int8Array(Files.bytes), event.target.value));
        if (opened.error) document.getElementById("file-key-wrong").textContent = opened.error;
        else {
          Files.info = opened;
          Files.show();
        }
      }
    });
    box.addEventListener("click", (event) => {
      if (event.target.id === "file-save") Files.save(event.target.dataset.name);
    });
  },
};

Files.start();

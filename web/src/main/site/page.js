// The page itself: fields, the address, planners on the page and in a worker, tabs, copying, themes.
"use strict";

const Page = {
  values: {},
  answers: {},
  current: "size",
  asked: 0,

  // ---- planners -------------------------------------------------------------------------------

  /** Answers immediately. */
  answer(tab, lines) {
    return JSON.parse(bellows.answer(tab, lines));
  },

  worker: null,

  /** The planners' own script again, in a worker: works from a file, where no other script can be loaded. */
  newWorker() {
    const listen = `onmessage = (message) => {
      const { id, tab, lines, steps } = message.data;
      const done = [];
      for (const step of steps || []) {
        done.push(JSON.parse(bellows.answer(tab, step)));
        postMessage({ id, progress: done.length, of: steps.length + 1 });
      }
      const answer = JSON.parse(bellows.answer(tab, lines));
      if (steps) answer.steps = done;
      postMessage({ id, answer });
    };`;
    const script = document.getElementById("planners").textContent + listen;
    return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  },

  /** Ends the current work of the worker; the next request gets a new worker. */
  cancel() {
    if (Page.worker && Page.busy) {
      Page.worker.terminate();
      Page.worker = null;
    }
    Page.busy = 0;
    clearTimeout(Page.later);
  },

  askSlowly(request, found) {
    Page.cancel();
    Page.busy = ++Page.asked;
    const id = Page.asked;
    Page.later = setTimeout(() => {
      if (!Page.worker) Page.worker = Page.newWorker();
      Page.worker.onmessage = ({ data }) => {
        if (data.id !== Page.busy) return;
        if (data.answer) {
          Page.busy = 0;
          found(data.answer);
        } else {
          Page.progress(data.progress, data.of);
        }
      };
      Page.worker.onerror = (event) => {
        event.preventDefault();
        Page.busy = 0;
        found({ error: "the planner stopped: " + event.message });
      };
      Page.worker.postMessage({ id, tab: request.tab, lines: request.lines, steps: request.steps });
    }, 60);
  },

  progress(done, of) {
    const bar = document.querySelector(`#panel-${Page.current} progress`);
    if (!bar) return;
    if (of) {
      bar.max = of;
      bar.value = done;
    } else {
      bar.removeAttribute("value");
    }
  },

  // ---- asking and showing ---------------------------------------------------------------------

  tab: (id) => Tabs.find((tab) => tab.id === id),
  panel: (id) => document.getElementById("panel-" + id),

  visible(tab, field) {
    return !field.when || field.when(Page.values[tab.id]);
  },

  /** The named fields in the form that the planners read, without hidden and empty ones. */
  lines(tab) {
    return (names) => tab.fields.filter((f) => names.includes(f.name) && Page.visible(tab, f))
      .flatMap((f) => Page.values[tab.id][f.name].split("\n").map((line) => [f.name, line.trim()]))
      .filter(([, value]) => value !== "").map(([name, value]) => name + "=" + value).join("\n");
  },

  ask() {
    const tab = Page.tab(Page.current);
    Page.answers[tab.id] = Page.answers[tab.id] || {};
    const answers = Page.answers[tab.id];
    Page.cancel();
    Page.wait(tab, false);
    let slow = null;
    for (const request of tab.requests(Page.values[tab.id], Page.lines(tab))) {
      const known = answers[request.key];
      if (known && known.asked === request.lines) continue;
      if (request.slow) {
        slow = request;
        if (request.quick && known && known.plan && known.base === request.base) {
          const { thetas, criteria } = known;
          answers[request.key] = { ...Page.answer(request.tab, request.quick), thetas, criteria, base: request.base };
        }
      } else {
        answers[request.key] = { ...Page.answer(request.tab, request.lines), asked: request.lines };
      }
    }
    if (slow) {
      Page.wait(tab, true, slow.key === "capacity");
      Page.askSlowly(slow, (answer) => {
        answers[slow.key] = { ...answer, asked: slow.lines, base: slow.base };
        Page.wait(tab, false);
        Page.show(tab, answers);
      });
    }
    Page.show(tab, answers);
  },

  wait(tab, on, background) {
    const panel = Page.panel(tab.id);
    const line = panel.querySelector(".waiting");
    clearTimeout(Page.patience);
    if (!on) {
      line.hidden = true;
      panel.querySelector(".result").classList.remove("stale");
      panel.querySelector(".result").removeAttribute("aria-busy");
      return;
    }
    panel.querySelector(".result").setAttribute("aria-busy", "true");
    // short requests show no progress, to avoid flicker
    Page.patience = setTimeout(() => {
      line.hidden = false;
      if (!background) panel.querySelector(".result").classList.add("stale");
      Page.progress(0, 0);
    }, 250);
  },

  show(tab, answers) {
    const panel = Page.panel(tab.id);
    const asked = tab.requests(Page.values[tab.id], Page.lines(tab)).map((r) => r.key);
    const needed = asked.filter((key) => key !== "capacity");
    const main = needed.map((key) => answers[key]).find((a) => a && a.error);
    const result = panel.querySelector(".result");
    const faults = {};
    for (const answer of asked.map((key) => answers[key]).filter((a) => a)) {
      if (answer.error && answer.field) faults[answer.field] = answer.error;
      Object.assign(faults, answer.faults);
    }
    Page.faults(tab, faults);
    panel.querySelector(".free").hidden = !(tab.free || []).some((name) => Page.values[tab.id][name].trim());
    if (main) {
      panel.querySelector(".brief").textContent = "";
      const field = tab.fields.find((f) => f.name === main.field);
      result.innerHTML = `<p class="notice" role="alert">${field ? `<strong>${field.label}</strong>: ` : ""}${Format.escape(main.error)}</p>`;
      return;
    }
    if (needed.some((key) => !answers[key])) {
      result.innerHTML = `<p class="say">Computing …</p>`;
      return;
    }
    const width = Math.max(280, Math.floor(result.clientWidth) - (innerWidth > 860 ? 38 : 30));
    const scrolled = [...result.querySelectorAll("pre")].map((pre) => pre.scrollTop);
    result.innerHTML = tab.render(answers, Page.values[tab.id], width);
    [...result.querySelectorAll("pre")].forEach((pre, i) => (pre.scrollTop = scrolled[i] || 0));
    if (tab.after) tab.after(panel, answers, Page.values[tab.id]);
    Page.sliders(tab, answers);
    const tiles = [...result.querySelectorAll(".tile")].slice(0, 3);
    panel.querySelector(".brief").innerHTML = tiles.map((tile) =>
      `<span>${tile.querySelector("dt").innerHTML}<b>${tile.querySelector(".value").innerHTML}</b></span>`).join("");
  },

  /** Shows what is wrong next to the invalid fields. */
  faults(tab, faults) {
    for (const field of tab.fields) {
      const input = document.getElementById(`${tab.id}-${field.name}`);
      if (!input) continue;
      input.setAttribute("aria-invalid", field.name in faults ? "true" : "false");
      document.getElementById(input.id + "-wrong").textContent = faults[field.name] || "";
    }
  },

  // ---- fields ---------------------------------------------------------------------------------

  fieldHtml(tab, field) {
    const id = `${tab.id}-${field.name}`;
    const hint = field.hint ? `<span class="hint" id="${id}-hint">${field.hint}</span>` : "";
    if (field.type === "choice") {
      return `<fieldset class="field" data-field="${field.name}"><legend>${field.label}</legend>${hint}<div class="choice">` +
        field.options.map(([value, word]) => `<label><input type="radio" name="${id}" value="${value}">${word}</label>`).join("") + "</div></fieldset>";
    }
    const said = `aria-describedby="${field.hint ? id + "-hint " : ""}${id}-wrong"`;
    const wrong = `<p class="wrong" id="${id}-wrong"></p>`;
    const label = `<label for="${id}">${field.label}</label>`;
    if (field.type === "select") {
      return `<div class="field" data-field="${field.name}">${label}${hint}<select id="${id}" ${said}>` +
        field.options.map(([value, word]) => `<option value="${value}">${word}</option>`).join("") + `</select>${wrong}</div>`;
    }
    if (field.type === "area") {
      return `<div class="field" data-field="${field.name}">${label}${hint}<textarea id="${id}" spellcheck="false" ${said}></textarea>${wrong}</div>`;
    }
    const slider = field.slider || field.type === "rung" || field.type === "whole"
      ? `<input type="range" id="${id}-slider" min="0" max="1000" step="1" aria-label="${field.label}, slider">` : "";
    return `<div class="field" data-field="${field.name}">${label}${hint}<input type="text" id="${id}" autocomplete="off" spellcheck="false" ${said}>${slider}${wrong}</div>`;
  },

  build(tab) {
    Page.panel(tab.id).innerHTML = `<div class="intro"><h2>${tab.title}</h2><p>${tab.intro}</p></div>` +
      `<form class="card" aria-label="${tab.title}">${tab.example ? `<button type="button" class="plain" data-example>${tab.example}</button>` : ""}` +
      `${tab.fields.map((field) => Page.fieldHtml(tab, field)).join("")}` +
      `<button type="button" class="plain free" data-free hidden>Back to the optimum</button><div class="brief" aria-hidden="true"></div></form>` +
      `<div class="stack"><div class="waiting" hidden><span>Searching for the optimum …</span><progress aria-label="Search"></progress><button type="button" class="plain" data-cancel>Cancel</button></div>` +
      `<div class="stack result"></div></div>`;
  },

  /** Writes the values into the fields. */
  fill(tab) {
    for (const field of tab.fields) {
      const value = Page.values[tab.id][field.name];
      const box = Page.panel(tab.id).querySelector(`[data-field="${field.name}"]`);
      box.hidden = !Page.visible(tab, field);
      if (field.type === "choice") {
        for (const radio of box.querySelectorAll("input")) radio.checked = radio.value === value;
      } else {
        const input = document.getElementById(`${tab.id}-${field.name}`);
        if (input.value !== value) input.value = value;
      }
      Page.moveSlider(tab, field);
    }
  },

  moveSlider(tab, field) {
    const slider = document.getElementById(`${tab.id}-${field.name}-slider`);
    if (!slider || !field.slider || document.activeElement === slider) return;
    const value = Format.read(Page.values[tab.id][field.name]);
    if (value === null) return;
    const { from, to, linear } = field.slider;
    const share = linear ? (value - from) / (to - from) : Math.log(value / from) / Math.log(to / from);
    slider.value = Math.round(1000 * Math.min(1, Math.max(0, share)));
    slider.setAttribute("aria-valuetext", Page.values[tab.id][field.name]);
  },

  /** Sliders whose ends follow from the plan: along the ladder, and along whole numbers. */
  sliders(tab, answers) {
    for (const [name, [from, to, at]] of Object.entries(tab.whole ? tab.whole(answers) : {})) {
      const whole = document.getElementById(`${tab.id}-${name}-slider`);
      if (document.activeElement !== whole) {
        whole.min = from;
        whole.max = to;
        whole.value = at;
      }
      whole.setAttribute("aria-valuetext", String(at));
    }
    const slider = document.getElementById(`${tab.id}-at-slider`);
    if (!slider || !answers.fold || answers.fold.error) return;
    const ladder = answers.fold.ladder;
    slider.max = ladder.length - 1;
    const [size, rate] = tab.rung(answers.fold, Page.values[tab.id]);
    slider.value = ladder.findIndex((rung) => rung[0] === size);
    slider.setAttribute("aria-valuetext", `${Format.counted(size, "bit")}, rate ${Format.rate(rate)}`);
  },

  slid(tab, field, slider) {
    if (field.type === "rung") {
      const fold = Page.answers[tab.id].fold;
      if (fold && fold.ladder) return String(fold.ladder[Math.min(fold.ladder.length - 1, slider.value)][0]);
      return "";
    }
    if (field.type === "whole") return slider.value;
    const { from, to, kind, linear } = field.slider;
    const share = slider.value / 1000;
    const value = linear ? from + share * (to - from) : from * Math.pow(to / from, share);
    return kind === "smooth" ? String(Page.smooth(value)) : Format.typed(value, kind);
  },

  /** A multiple of a unit with many divisors near a value, so that the slider of a capacity stops at sizes that fold well. */
  smooth(size, unit = 1) {
    const value = size / unit;
    let best = 1;
    for (const seed of [1, 3, 5, 7, 9, 11, 15, 21, 33, 35, 45, 63, 77, 105, 165, 231, 315, 385, 495, 693, 1155, 3465]) {
      const power = Math.pow(2, Math.max(unit > 1 ? 0 : 3, Math.round(Math.log2(value / seed))));
      if (Math.abs(Math.log((seed * power) / value)) < Math.abs(Math.log(best / value))) best = seed * power;
    }
    return best * unit;
  },

  changed(target) {
    const tab = Page.tab(Page.current);
    const box = target.closest("[data-field]");
    if (!box) return;
    const field = tab.fields.find((f) => f.name === box.dataset.field);
    Page.values[tab.id][field.name] = target.type === "range" ? Page.slid(tab, field, target) : target.value;
    if (tab.complete) tab.complete(Page.values[tab.id], field.name, Page.answers[tab.id], target.type === "text");
    Page.fill(tab);
    Page.writeAddress();
    Page.ask();
    Page.announce(tab);
  },

  /** Announces the first result to a screen reader once nothing has changed for a while. */
  announce(tab) {
    clearTimeout(Page.telling);
    Page.telling = setTimeout(() => {
      const told = Page.panel(tab.id).querySelector(".notice[role=alert]") ? "" : Page.panel(tab.id).querySelector(".brief span");
      if (told) Page.say(`${told.firstChild.textContent} ${told.querySelector("b").textContent}`);
    }, 1000);
  },

  say(words) {
    document.getElementById("said").textContent = words;
  },

  // ---- address --------------------------------------------------------------------------------

  writeAddress() {
    clearTimeout(Page.writing);
    Page.writing = setTimeout(Page.writeNow, 120);
  },

  /** Delayed, because browsers throttle an address that changes with every step of a slider. */
  writeNow() {
    clearTimeout(Page.writing);
    const query = new URLSearchParams(Page.values[Page.current]);
    history.replaceState(null, "", `#${Page.current}?${query}`);
  },

  readAddress() {
    const [id, query] = location.hash.slice(1).split("?");
    const tab = Page.tab(id) || Tabs[0];
    Page.current = tab.id;
    const given = new URLSearchParams((tab.id === id && query) || "");
    for (const field of tab.fields) {
      const value = given.get(field.name);
      const known = field.options ? field.options.some((o) => o[0] === value) : value !== null;
      Page.values[tab.id][field.name] = known ? value.slice(0, 2000) : field.value;
    }
  },

  open(focus) {
    for (const tab of Tabs) {
      const here = tab.id === Page.current;
      const button = document.getElementById("tab-" + tab.id);
      button.setAttribute("aria-selected", String(here));
      button.tabIndex = here ? 0 : -1;
      Page.panel(tab.id).hidden = !here;
      if (here && focus) button.focus();
    }
    const tab = Page.tab(Page.current);
    if (!Page.panel(tab.id).firstChild) Page.build(tab);
    Page.fill(tab);
    Page.ask();
    Page.warm(tab);
  },

  warmed: {},

  /**
   * Calls a tab's planner a few times while the page is idle, so that the browser has compiled
   * it when a slider moves.
   */
  warm(tab, left = 4) {
    if (left === 4 && (Page.warmed[tab.id] || !window.requestIdleCallback)) return;
    requestIdleCallback(() => {
      for (const request of tab.requests(Page.values[tab.id], Page.lines(tab))) {
        if (!request.slow) Page.answer(request.tab, request.lines.replace(/^keys=.*$/m, "keys=" + 700 * left));
      }
      if (left > 1) Page.warm(tab, left - 1);
      else Page.warmed[tab.id] = true;
    });
  },

  turn(id, focus) {
    Page.current = id;
    Page.writeAddress();
    Page.open(focus);
  },

  // ---- copying and themes ---------------------------------------------------------------------

  async copy(button) {
    const text = Page.answers[Page.current][button.dataset.of][button.dataset.copy];
    try {
      await navigator.clipboard.writeText(text);
    } catch (refused) {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    const word = button.textContent;
    button.textContent = "Copied";
    Page.say("Copied");
    setTimeout(() => (button.textContent = word), 1200);
  },

  theme(next) {
    document.documentElement.dataset.theme = next;
    document.getElementById("theme").setAttribute("aria-label", `Switch to ${next === "dark" ? "light" : "dark"}`);
  },

  remembered() {
    try {
      return localStorage.getItem("bellows-theme");
    } catch (refused) {
      return null;
    }
  },

  start() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    Page.theme(Page.remembered() || (dark.matches ? "dark" : "light"));
    dark.addEventListener("change", () => {
      if (!Page.remembered()) Page.theme(dark.matches ? "dark" : "light");
    });
    for (const tab of Tabs) {
      Page.values[tab.id] = Object.fromEntries(tab.fields.map((f) => [f.name, f.value]));
    }
    document.getElementById("theme").addEventListener("click", () => {
      const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      Page.theme(next);
      try {
        localStorage.setItem("bellows-theme", next);
      } catch (refused) {
        // then the choice is not remembered
      }
      Page.show(Page.tab(Page.current), Page.answers[Page.current]);
    });
    document.getElementById("tabs").addEventListener("click", (event) => {
      const button = event.target.closest("[role=tab]");
      if (button) Page.turn(button.id.slice(4), false);
    });
    document.getElementById("tabs").addEventListener("keydown", (event) => {
      const at = Tabs.findIndex((tab) => tab.id === Page.current);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + Tabs.length, Home: 0, End: Tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      Page.turn(Tabs[to % Tabs.length].id, true);
    });
    document.getElementById("main").addEventListener("input", (event) => Page.changed(event.target));
    document.getElementById("main").addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("main").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.copy) Page.copy(button);
      if ("cancel" in button.dataset) {
        Page.cancel();
        Page.wait(Page.tab(Page.current), false);
        Page.say("Cancelled");
        const result = Page.panel(Page.current).querySelector(".result");
        result.insertAdjacentHTML("afterbegin", `<p class="notice">Cancelled: change any field to search again.</p>`);
      }
      if ("free" in button.dataset) {
        const tab = Page.tab(Page.current);
        for (const name of tab.free) Page.values[tab.id][name] = "";
        document.getElementById(`${tab.id}-${tab.free[0]}`).focus();
        Page.turn(tab.id, false);
      }
      if ("example" in button.dataset) {
        const tab = Page.tab(Page.current);
        for (const field of tab.fields) Page.values[tab.id][field.name] = field.value;
        Page.values[tab.id].what = "profile";
        Page.turn(tab.id, false);
      }
    });
    addEventListener("hashchange", () => {
      Page.readAddress();
      Page.open(false);
    });
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth === width) return;
      width = innerWidth;
      Page.show(Page.tab(Page.current), Page.answers[Page.current]);
    });
    Page.readAddress();
    Page.open(false);
    document.documentElement.dataset.ready = "true";
  },
};

Page.start();

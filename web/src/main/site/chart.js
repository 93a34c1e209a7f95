// Drawing: functions from numbers to SVG text. Colours are classes, so that light and dark work.
"use strict";

const Chart = {
  SERIES: ["s1", "s2", "s3", "s4"],

  /** A position on an axis: logarithmic or linear, from pixel `start` to pixel `end`. */
  scale(axis, start, end) {
    const at = axis.log ? (v) => Math.log(Math.max(v, Number.MIN_VALUE)) : (v) => v;
    const low = at(axis.from);
    const span = at(axis.to) - low || 1;
    return (value) => start + ((at(value) - low) / span) * (end - start);
  },

  /** Round numbers on an axis, at most about `most` of them. */
  ticks(axis, most) {
    const ticks = [];
    if (axis.log) {
      const low = Math.log10(axis.from);
      const high = Math.log10(axis.to);
      if (high - low < 1.3) {
        const decade = Math.pow(10, Math.floor(low));
        for (const step of [1, 2, 3, 5, 7, 10, 20, 30, 50]) {
          const value = Number((step * decade).toPrecision(3));
          if (value >= axis.from * 0.999 && value <= axis.to * 1.001) ticks.push(value);
        }
        if (ticks.length > 1) return ticks;
        return Chart.ticks({ from: axis.from, to: axis.to }, most);
      }
      const step = Math.max(1, Math.ceil((high - low) / most));
      const within = step > 1 || high - low > most / 3 ? [1] : [1, 2, 5];
      for (let e = step > 1 ? Math.ceil(low - 1e-9) : Math.floor(low); e <= high + 1e-9; e += step) {
        for (const digit of within) {
          const value = Number(digit + "e" + e);
          if (value >= axis.from * 0.999 && value <= axis.to * 1.001) ticks.push(value);
        }
      }
      return ticks;
    }
    const raw = (axis.to - axis.from) / most;
    const size = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 2.5, 5, 10].map((s) => s * size).find((s) => s >= raw * 0.999);
    for (let i = Math.ceil(axis.from / step - 1e-9); i * step <= axis.to * (1 + 1e-9); i++) {
      ticks.push(Number((i * step).toPrecision(12)));
    }
    return ticks;
  },

  text(x, y, anchor, words, kind) {
    return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"` +
      `${kind ? ` class="${kind}"` : ""}>${Format.escape(words)}</text>`;
  },

  line(x1, y1, x2, y2, kind) {
    return `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" class="${kind}"/>`;
  },

  rect(x, y, width, height, kind, title) {
    const shape = `<rect x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${Math.max(0, width).toFixed(2)}"` +
      ` height="${Math.max(0, height).toFixed(2)}" class="${kind}"`;
    return title ? `${shape}><title>${Format.escape(title)}</title></rect>` : `${shape}/>`;
  },

  svg(width, height, label, body) {
    return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"` +
      ` aria-label="${Format.escape(label)}" xmlns="http://www.w3.org/2000/svg">${body}</svg>`;
  },

  path(points, x, y) {
    let path = "";
    let pen = "M";
    for (const [a, b] of points) {
      if (b === null || b === undefined || !isFinite(b) || !isFinite(a)) {
        pen = "M";
      } else {
        path += pen + x(a).toFixed(1) + " " + y(b).toFixed(1);
        pen = "L";
      }
    }
    return path;
  },

  /**
   * Curves over two axes.
   * plot: {width, height, label, x: {from, to, log, name, format}, y: the same,
   *        series: [{points, name, kind, step, area}], verticals: [{at, name, kind}],
   *        horizontals: the same, dots: [{at: [x, y], name, kind}]}
   */
  plot(plot) {
    const height = plot.height;
    const width = plot.width;
    const yTicks = Chart.ticks(plot.y, Math.max(3, height / 60));
    const widest = Math.max(...yTicks.map((tick) => plot.y.format(tick).length), 3);
    const left = Math.max(40, 14 + 7 * widest), right = 14, top = 26, bottom = 42;
    const x = Chart.scale(plot.x, left, width - right);
    const y = Chart.scale(plot.y, height - bottom, top);
    let body = "";
    for (const tick of yTicks) {
      body += Chart.line(left, y(tick), width - right, y(tick), "grid");
      body += Chart.text(left - 8, y(tick) + 4, "end", plot.y.format(tick));
    }
    let last = -100;
    for (const tick of Chart.ticks(plot.x, Math.max(3, width / 90))) {
      body += Chart.line(x(tick), height - bottom, x(tick), height - bottom + 5, "axis");
      const half = 3.8 * plot.x.format(tick).length;
      const at = Math.min(x(tick), width - half);
      if (at - half > last) {
        body += Chart.text(at, height - bottom + 18, "middle", plot.x.format(tick));
        last = at + half + 6;
      }
    }
    body += Chart.line(left, height - bottom, width - right, height - bottom, "axis");
    body += Chart.text((left + width - right) / 2, height - 6, "middle", plot.x.name, "name");
    body += Chart.text(4, 14, "start", plot.y.name, "name");
    for (const mark of plot.horizontals || []) {
      body += Chart.line(left, y(mark.at), width - right, y(mark.at), "mark " + (mark.kind || ""));
      body += Chart.text(width - right - 4, y(mark.at) - 5, "end", mark.name, "marked " + (mark.kind || ""));
    }
    for (const mark of plot.verticals || []) {
      if (mark.at < plot.x.from || mark.at > plot.x.to) continue;
      const side = x(mark.at) + 8 * mark.name.length > width - right ? "end" : "start";
      body += Chart.line(x(mark.at), top, x(mark.at), height - bottom, "mark " + (mark.kind || ""));
      body += Chart.text(x(mark.at) + (side === "end" ? -6 : 6), top + 12 + 16 * (mark.row || 0), side, mark.name,
        "marked " + (mark.kind || ""));
    }
    // an svg inside cuts off what lies above or below the axes
    const frame = [left - 2, top - 2, width - right - left + 4, height - bottom - top + 4];
    body += `<svg x="${frame[0]}" y="${frame[1]}" width="${frame[2]}" height="${frame[3]}" viewBox="${frame.join(" ")}">`;
    for (const series of plot.series) {
      const points = series.step ? Chart.steps(series.points) : series.points;
      if (series.area && points.length) {
        const floor = height - bottom;
        body += `<path class="area ${series.kind}" d="${Chart.path(points, x, y)}L${x(points[points.length - 1][0]).toFixed(1)} ${floor}` +
          `L${x(points[0][0]).toFixed(1)} ${floor}Z"/>`;
      }
      body += `<path class="curve ${series.kind}" d="${Chart.path(points, x, y)}"/>`;
    }
    body += "</svg>";
    for (const dot of plot.dots || []) {
      body += `<circle class="dot ${dot.kind || ""}" cx="${x(dot.at[0]).toFixed(1)}" cy="${y(dot.at[1]).toFixed(1)}" r="5">` +
        `<title>${Format.escape(dot.name)}</title></circle>`;
    }
    return Chart.svg(width, height, plot.label, body) + Chart.legend(plot.series);
  },

  /** Points as the corners of stairs. */
  steps(points) {
    const stairs = [];
    for (let i = 0; i < points.length; i++) {
      if (i > 0) stairs.push([points[i][0], points[i - 1][1]]);
      stairs.push(points[i]);
    }
    return stairs;
  },

  legend(series) {
    const named = series.filter((s) => s.name);
    if (named.length < 2) return "";
    return `<ul class="legend">${named.map((s) =>
      `<li><span class="swatch ${s.kind}"></span>${Format.escape(s.name)}</li>`).join("")}</ul>`;
  },

  /** Horizontal bars: rows of {name, value, text, kind}. */
  bars(rows, options) {
    const width = options.width;
    const left = Math.min(170, width * 0.38);
    const row = 26;
    const most = options.most || Math.max(...rows.map((r) => r.value));
    const x = Chart.scale({ from: 0, to: most }, 0, width - left - 74);
    let body = "";
    rows.forEach((r, i) => {
      const top = i * row + 2;
      const length = Math.min(x(r.value), width - left - 74);
      body += Chart.text(left - 8, top + 15, "end", r.name, r.strong ? "strong" : "");
      body += Chart.rect(left, top + 3, length, row - 10, "bar " + (r.kind || "s1"));
      body += Chart.text(left + length + 6, top + 15, "start", r.text, r.strong ? "strong" : "");
      if (r.value > most) body += Chart.text(left + length - 6, top + 15, "end", "»", "onbar");
    });
    return Chart.svg(width, rows.length * row + 4, options.label, body);
  },
};

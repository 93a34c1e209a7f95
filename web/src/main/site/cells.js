// A filter as cells, folded: a model of the same fill as the filter that is planned.
"use strict";

const Cells = {
  MOST: 12000,

  /**
   * The filter itself if it is small, otherwise one of a whole fraction of its size with the same
   * fraction of its keys: its fill is the same at every fold. Where one can, it folds to the wanted size.
   */
  model(capacity, cellBits, keys, hashes, sizes, wanted) {
    const cells = capacity / cellBits;
    let fraction = 1;
    if (cells > Cells.MOST) {
      const factors = sizes.map((size) => capacity / size).sort((a, b) => a - b);
      const small = (f) => cells / f <= Cells.MOST;
      fraction = factors.find((f) => small(f) && wanted % (f * cellBits) === 0) || factors.find(small) || factors[factors.length - 1];
    }
    return {
      cells: cells / fraction,
      fraction,
      keys: Math.max(keys > 0 ? 1 : 0, Math.round(keys / fraction)),
      perKey: cellBits > 1 ? 1 : hashes,
    };
  },

  /** Which cells are set: keys choose them at random, always in the same way. */
  fill(model) {
    const set = new Uint8Array(model.cells);
    let state = 0x5eed;
    const random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
    const throws = Math.min(model.keys * model.perKey, 400000);
    for (let i = 0; i < throws; i++) {
      const at = Math.floor(random() * model.cells);
      if (i < model.perKey) set[at] |= 2;
      set[at] |= 1;
    }
    return set;
  },

  /** Cell i of the folded filter is the OR of the cells i, i + m', i + 2m' and so on (Folding paper, Eq. 3). */
  fold(set, factor) {
    const size = set.length / factor;
    const folded = new Uint8Array(size);
    for (let i = 0; i < set.length; i++) folded[i % size] |= set[i];
    return folded;
  },

  share(set) {
    let ones = 0;
    for (const cell of set) ones += cell & 1;
    return ones / set.length;
  },

  /** How many columns to draw: a divisor of the stripe if there is one, so that a stripe is whole rows. */
  columns(cells, stripe) {
    const ideal = Math.max(24, Math.min(150, Math.ceil(Math.sqrt(cells * 1.6))));
    let best = ideal;
    let away = 1.6;
    for (let columns = 16; columns <= 150; columns++) {
      const ratio = Math.max(columns / ideal, ideal / columns);
      if (stripe % columns === 0 && ratio < away) {
        best = columns;
        away = ratio;
      }
    }
    return best;
  },

  /** Draws the cells into a canvas, with a gap after each stripe; the cells of one key are highlighted. */
  draw(canvas, set, columns, stripe, colours) {
    const dense = Math.max(1, Math.min(2, window.devicePixelRatio || 1));
    const size = Math.max(2, Math.min(10 * dense, Math.floor((canvas.parentElement.clientWidth * dense) / columns)));
    const rows = Math.ceil(set.length / columns);
    const perStripe = stripe / columns;
    const cut = set.length > stripe && Number.isInteger(perStripe) && set.length / stripe <= 80 ? Math.max(2, Math.round(size / 2)) : 0;
    const top = (row) => row * size + (cut ? Math.floor(row / perStripe) * cut : 0);
    canvas.width = columns * size;
    canvas.height = top(Math.max(1, rows) - 1) + size;
    canvas.style.width = canvas.width / dense + "px";
    const pen = canvas.getContext("2d");
    const gap = size > 4 ? 1 : 0;
    const square = (i, more) => pen.fillRect((i % columns) * size - more, top(Math.floor(i / columns)) - more, size - gap + 2 * more, size - gap + 2 * more);
    for (const [wanted, colour] of [[0, colours.clear], [1, colours.set]]) {
      pen.fillStyle = colour;
      for (let i = 0; i < set.length; i++) if (set[i] === wanted) square(i, 0);
    }
    pen.fillStyle = colours.key;
    for (let i = 0; i < set.length; i++) if (set[i] & 2) square(i, size < 5 ? 2 : 1);
  },
};

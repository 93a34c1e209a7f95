// A filter as cells, folded: a model of the same fill as the filter that is planned.
"use strict";

const Cells = {
  MOST: 20000,

  /**
   * The filter itself if it is small, otherwise one of a whole fraction of its size with the same
   * fraction of its keys: its fill is the same at every fold.
   */
  model(capacity, cellBits, keys, hashes, sizes) {
    const cells = capacity / cellBits;
    let fraction = 1;
    if (cells > Cells.MOST) {
      const factors = sizes.map((size) => capacity / size).sort((a, b) => a - b);
      fraction = factors.find((f) => cells / f <= Cells.MOST) || factors[factors.length - 1];
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

  /** Cell i of the folded filter is the OR of the cells i, i + m', i + 2m' and so on (000 Eq 3). */
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

  /** Draws the cells into a canvas; the cells of one key stand out. */
  draw(canvas, set, columns, colours) {
    const size = columns > 120 ? 3 : columns > 60 ? 5 : 8;
    const rows = Math.ceil(set.length / columns);
    canvas.width = columns * size;
    canvas.height = Math.max(1, rows) * size;
    const pen = canvas.getContext("2d");
    for (let i = 0; i < set.length; i++) {
      pen.fillStyle = set[i] & 2 ? colours.key : set[i] ? colours.set : colours.clear;
      const gap = size > 4 ? 1 : 0;
      pen.fillRect((i % columns) * size, Math.floor(i / columns) * size, size - gap, size - gap);
    }
  },
};

// Where each photo of a grid is, from the counts of its sections: nothing here touches the page.

const gap = 4;
/** The height of a day's heading. */
export const heading = 48;

export class Layout {
  /** `sections` are [{title, count}] in order; `width` is that of the grid. */
  constructor(sections, width, smallest = 168) {
    this.width = width;
    this.columns = Math.max(2, Math.floor((width + gap) / (smallest + gap)));
    this.side = (width - gap * (this.columns - 1)) / this.columns;
    this.step = this.side + gap;
    this.sections = [];
    let [top, first] = [0, 0];
    for (const { title, count } of sections) {
      const head = title ? heading : 0;
      const rows = Math.ceil(count / this.columns);
      const height = head + rows * this.step;
      this.sections.push({ title, count, first, top, height, photos: top + head });
      top += height;
      first += count;
    }
    [this.height, this.count] = [top, first];
  }

  /** The section in which something is: by `top` where it is in pixels, by `first` where it is a position. */
  #section(key, value) {
    let [low, high] = [0, this.sections.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.sections[middle][key] <= value) low = middle; else high = middle - 1;
    }
    return low;
  }

  /** The section of a position. */
  section(position) { return this.sections[this.#section("first", position)]; }

  place(position) {
    const section = this.section(position);
    const index = position - section.first;
    return {
      left: (index % this.columns) * this.step, top: section.photos + Math.floor(index / this.columns) * this.step,
    };
  }

  /** What is to be seen between two heights: positions from..<to, and the sections that begin there. */
  visible(top, bottom) {
    if (!this.count) return { from: 0, to: 0, sections: [] };
    const [first, last] = [this.#section("top", top), this.#section("top", bottom)];
    const edge = (section, height, round) => {
      const row = round((height - section.photos) / this.step);
      return section.first + Math.min(section.count, Math.max(0, row * this.columns));
    };
    return {
      from: edge(this.sections[first], top, Math.floor), to: edge(this.sections[last], bottom, Math.ceil),
      sections: this.sections.slice(first, last + 1),
    };
  }

  /** The position that a key leads to; `page` is the height of the screen. */
  neighbour(position, key, page) {
    if (key === "ArrowLeft") return Math.max(0, position - 1);
    if (key === "ArrowRight") return Math.min(this.count - 1, position + 1);
    if (key === "Home") return 0;
    if (key === "End") return this.count - 1;
    if (key === "PageUp" || key === "PageDown") {
      const arrow = key === "PageUp" ? "ArrowUp" : "ArrowDown";
      for (let rows = Math.max(1, Math.floor(page / this.step) - 1); rows > 0; rows--) {
        position = this.neighbour(position, arrow);
      }
      return position;
    }
    const { left, top } = this.place(position);
    const target = key === "ArrowDown" ? top + this.step * 1.5 : top - this.step / 2;
    const { sections } = this.visible(target, target);
    const section = sections[0];
    const row = Math.max(0, Math.floor((target - section.photos) / this.step));
    const rows = Math.ceil(section.count / this.columns);
    const above = key === "ArrowUp" && target < section.photos ? this.sections[this.sections.indexOf(section) - 1] : null;
    const [home, line] = above ? [above, Math.ceil(above.count / this.columns) - 1] : [section, Math.min(row, rows - 1)];
    const column = Math.round(left / this.step);
    const found = home.first + Math.min(home.count - 1, line * this.columns + column);
    return target < 0 ? position : found;
  }
}

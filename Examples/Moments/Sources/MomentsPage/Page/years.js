// A scale beside a long grid: its years, at the height at which they are in it.
import { make } from "./dom.js";

const least = 26;

export class Years {
  #marks = [];

  /** `jump(top)` scrolls the grid to a height in it. */
  constructor(jump) {
    this.jump = jump;
    this.element = make("nav.years", { ariaLabel: "Years", hidden: true });
    this.element.addEventListener("pointermove", (event) => { if (event.buttons === 1) this.#drag(event); });
  }

  measure(layout) {
    this.layout = layout;
    const years = new Map();
    for (const { title, top } of layout.sections) {
      const year = /^-?\d+(?=-\d\d-\d\d$)/.exec(title)?.[0];
      if (year && !years.has(year)) years.set(year, top);
    }
    this.element.hidden = years.size < 2;
    const height = this.element.clientHeight - least;
    let free = 0;
    this.#marks = [];
    for (const [year, top] of years) {
      const at = Math.max(free, (top / layout.height) * height);
      // Short years after long ones move down a little; where there is no room left, they are reached by scrolling.
      if (at > height) break;
      free = at + least;
      this.#marks.push({ top, at, button: this.#button(year, top, at) });
    }
    this.element.replaceChildren(...this.#marks.map(({ button }) => button));
  }

  #button(year, top, at) {
    const button = make("button", { onclick: () => this.jump(top) }, year);
    button.style.top = `${at}px`;
    return button;
  }

  /** Marks the year that is looked at. */
  draw(top) {
    const current = this.#marks.findLast((mark) => mark.top <= top + 1) ?? this.#marks[0];
    for (const mark of this.#marks) mark.button.ariaCurrent = mark === current ? "date" : null;
  }

  #drag(event) {
    const { top, height } = this.element.getBoundingClientRect();
    this.jump(((event.clientY - top) / height) * this.layout.height);
  }
}

// A grid of any number of photos: it asks for the rows that are looked at, and draws no others. Focus and selection
// belong to photos, wherever changes and scrolling put them.
import { get, on } from "./api.js";
import { retryPictures } from "./cell.js";
import { Cells } from "./cells.js";
import { Days } from "./days.js";
import { dayText, make } from "./dom.js";
import { listenToGestures } from "./gestures.js";
import { Layout, heading } from "./layout.js";
import { Rows } from "./rows.js";
import { Selection } from "./selection.js";
import { Years } from "./years.js";

export class Grid {
  /** `list` is `timeline` or a moment's id; `open(id)` shows a photo; `anchor` is where the grid was left. */
  constructor(list, { bar, open, chosen, loaded, signal, anchor }) {
    Object.assign(this, { bar, open, loaded, signal });
    this.photos = make("div.photos", { role: "listbox", ariaMultiSelectable: "true", ariaLabel: "Photos" });
    this.cells = new Cells(this.photos);
    this.selection = new Selection(this, () => { this.draw(); chosen(this.selection); });
    this.days = new Days((section) => this.selection.section(section));
    this.years = new Years((top) => this.#scroll(top));
    this.element = make("div.grid", {}, this.photos, this.days.element);
    /** The photo that has the focus, or had it last, and its position. */
    this.focused = null;
    /** The position that gets the focus as soon as its row is here. */
    this.next = null;
    this.scroller = document.querySelector("main");
    this.rows = new Rows(list, { signal, arrived: () => this.draw(), outdated: () => this.load() });
    this.scroller.addEventListener("scroll", () => this.draw(), { signal, passive: true });
    const observer = new ResizeObserver(() => this.measure());
    observer.observe(this.element);
    signal.addEventListener("abort", () => observer.disconnect());
    listenToGestures(this);
    on("grid", ({ revision, updates }) => {
      if (revision !== this.rows.revision) return this.load();
      this.rows.drop(updates);
      return this.draw();
    }, signal);
    on("status", ({ network }) => { if (network !== "offline") retryPictures(this.cells.all); }, signal);
    this.load(anchor);
  }

  /** Asks for the sections, then for what is looked at. The photo at the top of the screen stays there. */
  async load(anchor) {
    // Many changes in a row, as of an import, are one.
    if (this.loading) { this.isStale = true; return this.loading; }
    this.loading = this.#load(anchor).finally(() => { this.loading = null; });
    await this.loading;
    if (this.isStale) { this.isStale = false; await this.load(); }
    return undefined;
  }

  async #load(left) {
    const anchor = this.layout ? this.anchor() : left;
    const layout = await get(`/grid/${this.rows.list}/layout`);
    if (this.signal.aborted) return;
    const hadMore = layout.count < this.rows.count;
    this.rows.reset(layout);
    this.sections = withDays(layout.sections);
    this.loaded(layout);
    const [top, focus] = await Promise.all([anchor, this.focused].map((place) => place && this.rows.position(place.id)));
    if (this.signal.aborted) return;
    if (this.focused) this.#moveFocus(focus);
    this.measure();
    if (top !== undefined && anchor) this.#scroll(this.layout.place(top).top - anchor.offset);
    if (hadMore) await this.selection.keepListed();
  }

  /** The focused photo has moved; or it has gone, and its neighbour takes over what it had. */
  #moveFocus(position) {
    if (position !== undefined) { this.focused.position = position; return; }
    const hadFocus = this.cells.get(this.focused.id) === document.activeElement;
    this.cells.remove(this.focused.id);
    const next = Math.min(this.focused.position, this.rows.count - 1);
    this.focused = null;
    if (hadFocus && next >= 0) this.rows.at(next).then(() => this.show(next));
  }

  measure() {
    const width = this.element.clientWidth;
    if (!width || !this.sections) return;
    this.layout = new Layout(this.sections, width, width < 700 ? 84 : 168);
    this.element.style.height = `${this.layout.height}px`;
    // What stays in sight stays below the bar.
    this.scroller.style.setProperty("--bar-height", `${this.bar.offsetHeight}px`);
    this.years.measure(this.layout);
    this.draw();
  }

  /** How far the grid is scrolled under the bar. */
  get top() { return this.scroller.scrollTop + this.bar.offsetHeight - this.element.offsetTop; }

  #scroll(top) { this.scroller.scrollTop = top - this.bar.offsetHeight + this.element.offsetTop; }

  /** Puts the cells of the rows that are known where they belong, and asks for the others. */
  draw() {
    if (!this.layout) return;
    const { top, scroller: { clientHeight: height } } = this;
    const { from, to, sections } = this.layout.visible(top - height / 2, top + height * 1.5);
    const seen = new Set();
    for (let position = from; position < to; position++) {
      const row = this.rows.get(position);
      if (!row) { this.rows.ask(position); continue; }
      seen.add(row.photo.id);
      this.cells.place(row, position, this.layout, this.selection.has(row.photo.id));
    }
    this.cells.prune((id, cell) => {
      if (cell === document.activeElement && !seen.has(id)) {
        this.cells.move(cell, this.focused?.position ?? cell.position, this.layout);
        return true;
      }
      // A row that is asked for again keeps its cell until the answer is there.
      return seen.has(id) || (this.rows.isWaiting && cell.position >= from && cell.position < to);
    });
    this.#setTabStop(from, to, top);
    this.days.draw(sections, this.layout, this.selection.isActive);
    this.years.draw(top);
  }

  /** One photo is reached by Tab: the focused one, or else the first in sight. */
  #setTabStop(from, to, top) {
    let stop = this.cells.get(this.focused?.id);
    for (let position = from; !stop && position < to; position++) {
      if (this.layout.place(position).top >= top) stop = this.cells.get(this.rows.get(position)?.photo.id);
    }
    this.cells.setTabStop(stop);
  }

  /** The photo at the top of the screen, and how far it is from there; nothing at the very top. */
  anchor() {
    const { top } = this;
    if (!this.layout || this.scroller.scrollTop <= 0) return undefined;
    const position = this.layout.visible(top, top).from;
    const row = this.rows.get(position);
    return row && { id: row.photo.id, offset: this.layout.place(position).top - top };
  }

  /** Scrolls to a position, and gives its photo the focus, once its row is known. */
  async show(position) {
    this.next = position;
    const { top } = this.layout.place(position);
    const [above, below] = [top - heading, top + this.layout.side + this.bar.offsetHeight - this.scroller.clientHeight];
    if (above < this.top) this.#scroll(above); else if (below + 8 > this.top) this.#scroll(below + 8);
    const row = await this.rows.at(position);
    // Another key was faster.
    if (this.next !== position) return;
    this.next = null;
    if (!row) return;
    this.focused = { id: row.photo.id, position };
    this.draw();
    this.cells.get(row.photo.id)?.focus({ preventScroll: true });
  }

  /** Shows a photo in the grid, or its neighbours if it has gone. */
  async reveal(id) {
    await this.loading;
    const position = await this.rows.position(id) ?? Math.min(this.focused?.position ?? 0, this.rows.count - 1);
    if (position >= 0 && this.layout) await this.show(position);
  }
}

/** Sections whose title is a day, or else empty: the photos of a moment have no headings. */
const withDays = (sections) => sections.map(({ title, count }) => ({ title: dayText(title) && title, count }));

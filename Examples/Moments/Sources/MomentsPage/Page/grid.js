// A grid of any number of photos: it asks for the rows that are looked at, and draws no others.
import { get, on } from "./api.js";
import { counted, dayText, make } from "./dom.js";
import { Layout } from "./layout.js";
import { takenText } from "./taken.js";

const chunk = 120;

export class Grid {
  /** `list` is `timeline` or a moment's id; `open(id)` shows a photo; `chosen(ids)` is told of every selection. */
  constructor(list, { open, chosen, empty, signal }) {
    Object.assign(this, { list, open, chosen, signal });
    this.element = make("div.grid", { role: "listbox", ariaMultiSelectable: "true", ariaLabel: "Photos" });
    this.empty = empty;
    this.cells = new Map();
    this.headings = new Map();
    this.selection = new Set();
    this.rows = new Map();
    this.asked = new Map();
    this.focus = 0;
    this.scroller = document.querySelector("main");
    this.scroller.addEventListener("scroll", () => this.draw(), { signal, passive: true });
    new ResizeObserver(() => this.measure()).observe(this.element);
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    on("grid", (change) => this.#changed(change), signal);
    on("status", (status) => this.#settle(status), signal);
    this.ready = this.load();
  }

  /** Asks for the sections, then for what is looked at. The photo at the top of the screen stays there. */
  async load() {
    // Many changes in a row, as of an import, are one.
    if (this.loading) { this.isStale = true; return this.loading; }
    this.loading = this.#load().finally(() => { this.loading = null; });
    await this.loading;
    if (this.isStale) { this.isStale = false; await this.load(); }
    return undefined;
  }

  async #load() {
    const anchor = this.#anchor();
    const layout = await get(`/grid/${this.list}/layout`);
    if (this.signal.aborted) return;
    this.sections = layout.sections;
    this.revision = layout.revision;
    this.#forget();
    this.empty.hidden = layout.count > 0 || !layout.isComplete;
    this.measure();
    if (anchor) await this.#restore(anchor);
  }

  measure() {
    const width = this.element.clientWidth;
    if (!width || !this.sections) return;
    this.layout = new Layout(this.sections, width, width < 700 ? 104 : 168);
    this.element.style.height = `${this.layout.height}px`;
    this.draw();
  }

  /** Puts the cells of the rows that are known where they belong, and asks for the others. */
  draw() {
    if (!this.layout) return;
    const top = this.scroller.scrollTop - this.element.offsetTop;
    const height = this.scroller.clientHeight;
    const { from, to, sections } = this.layout.visible(top - height / 2, top + height * 1.5);
    const seen = new Set();
    for (let position = from; position < to; position++) {
      const row = this.rows.get(position);
      if (!row) { this.#ask(position); continue; }
      seen.add(row.photo.id);
      this.#place(row, position);
    }
    for (const [id, cell] of this.cells) {
      // A row that is asked for again keeps its cell until the answer is there.
      if (!seen.has(id) && (this.asked.size === 0 || cell.position < from || cell.position >= to)) {
        cell.remove();
        this.cells.delete(id);
      }
    }
    this.#title(sections);
  }

  #place(row, position) {
    let cell = this.cells.get(row.photo.id);
    if (!cell) {
      const image = make("img", { alt: "", draggable: false, decoding: "async" });
      cell = make("div.cell", { role: "option" }, image, make("span.pick", { ariaHidden: "true" }, "✓"));
      image.onerror = () => image.classList.add("failed");
      image.onload = () => image.classList.remove("failed");
      image.src = `/thumbnail/${row.photo.id}`;
      cell.photo = row.photo.id;
      this.cells.set(row.photo.id, cell);
      this.element.append(cell);
    }
    if (cell.row !== row) this.#dress(cell, row);
    cell.position = position;
    const { left, top } = this.layout.place(position);
    cell.style.cssText = `width:${this.layout.side}px;height:${this.layout.side}px;transform:translate(${left}px,${top}px)`;
    cell.tabIndex = position === this.focus ? 0 : -1;
    cell.ariaSetSize = this.layout.count;
    cell.ariaPosInSet = position + 1;
    cell.ariaSelected = this.selection.has(row.photo.id);
  }

  #dress(cell, row) {
    const { photo, isPending } = row;
    cell.row = row;
    const marks = [
      isPending ? make("span.mark.pending", { title: "Not confirmed by the server yet" }, "…") : null,
      photo.likes ? make("span.mark.likes", {}, `♥ ${photo.likes}`) : null,
    ].filter(Boolean);
    for (const old of cell.querySelectorAll(".mark")) old.remove();
    cell.append(...marks);
    cell.ariaLabel = [
      photo.caption ?? "Photo", takenText(photo), photo.likes ? counted(photo.likes, "like") : "",
      isPending ? "not confirmed yet" : "",
    ].filter(Boolean).join(", ");
  }

  #title(sections) {
    const seen = new Set();
    for (const section of sections.filter((section) => section.title)) {
      seen.add(section.title);
      const heading = this.headings.get(section.title) ?? make("h3", { ariaHidden: "true" });
      const text = `${dayText(section.title)}|${section.count}`;
      if (heading.text !== text) {
        heading.replaceChildren(dayText(section.title), make("span", {}, counted(section.count, "photo")));
      }
      heading.text = text;
      heading.style.top = `${section.top}px`;
      if (!heading.isConnected) this.element.append(heading);
      this.headings.set(section.title, heading);
    }
    for (const [title, heading] of this.headings) {
      if (!seen.has(title)) { heading.remove(); this.headings.delete(title); }
    }
  }

  /** Asks once for the part of the list that a position is in. */
  #ask(position) {
    const from = Math.floor(position / chunk) * chunk;
    if (this.asked.has(from) || from >= (this.layout?.count ?? 0)) return this.asked.get(from);
    const revision = this.revision;
    const answer = get(`/grid/${this.list}/rows?from=${from}&count=${chunk}`).then((window) => {
      if (this.signal.aborted || revision !== this.revision) return undefined;
      // The list has changed since: its sections are asked for anew.
      if (window.revision !== this.revision) return this.load();
      this.asked.delete(from);
      window.rows.forEach((row, index) => this.rows.set(window.from + index, row));
      return this.draw();
    }, () => this.asked.delete(from));
    this.asked.set(from, answer);
    return answer;
  }

  #forget() {
    this.rows.clear();
    this.asked.clear();
  }

  /** A change set: what it names is asked for again. */
  #changed({ revision, updates }) {
    if (revision !== this.revision) return this.load();
    for (const position of updates) this.rows.delete(position);
    return this.draw();
  }

  /** Pictures that did not come are asked for again. */
  #settle({ network }) {
    if (network === "offline") return;
    for (const image of this.element.querySelectorAll("img.failed")) {
      image.src = `${image.src.split("?")[0]}?again=${Date.now()}`;
    }
  }

  #anchor() {
    const top = this.scroller.scrollTop - this.element.offsetTop;
    if (!this.layout || top <= 0) return null;
    const position = this.layout.visible(top, top).from;
    const row = this.rows.get(position);
    return row && { id: row.photo.id, offset: this.layout.place(position).top - top };
  }

  async #restore({ id, offset }) {
    const { position } = await get(`/grid/${this.list}/position/${id}`).catch(() => ({}));
    if (position === undefined || this.signal.aborted) return;
    this.scroller.scrollTop = this.layout.place(position).top - offset + this.element.offsetTop;
  }

  #click(event) {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    this.focus = cell.position;
    if (event.target.closest(".pick") || this.selection.size) this.toggle(cell.photo); else this.open(cell.position);
  }

  #key(event) {
    if (event.key === "Enter") return this.open(this.focus);
    if (event.key === " ") {
      event.preventDefault();
      const row = this.rows.get(this.focus);
      return row && this.toggle(row.photo.id);
    }
    if (event.key === "Escape") return this.clear();
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) return undefined;
    event.preventDefault();
    return this.show(this.layout.neighbour(this.focus, event.key));
  }

  /** Scrolls to a position, and gives it the focus. */
  async show(position) {
    this.focus = position;
    const { top } = this.layout.place(position);
    const shown = this.scroller.scrollTop - this.element.offsetTop;
    const height = this.scroller.clientHeight;
    if (top < shown + 60 || top + this.layout.side > shown + height) {
      this.scroller.scrollTop = top + this.element.offsetTop - (top < shown + 60 ? 60 : height - this.layout.side - 8);
    }
    await this.#ask(position);
    this.draw();
    this.cells.get(this.rows.get(position)?.photo.id)?.focus({ preventScroll: true });
  }

  /** The id of the photo at a position; undefined behind the ends. */
  async id(position) {
    if (position < 0 || position >= this.layout.count) return undefined;
    if (!this.rows.has(position)) await this.#ask(position);
    return this.rows.get(position)?.photo.id;
  }

  toggle(id) {
    if (!this.selection.delete(id)) this.selection.add(id);
    this.#tell();
  }

  clear() {
    this.selection.clear();
    this.#tell();
  }

  #tell() {
    this.element.classList.toggle("selecting", this.selection.size > 0);
    this.draw();
    this.chosen([...this.selection]);
  }
}

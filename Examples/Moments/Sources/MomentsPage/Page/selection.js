// Which photos are selected: photos, not positions. They may be many more than the page has rows of.

export class Selection {
  #ids = new Set();
  #isActive = false;
  /** The photo that a range begins at. */
  #start = null;

  constructor(grid, changed) {
    Object.assign(this, { grid, changed });
  }

  get ids() { return [...this.#ids]; }
  get size() { return this.#ids.size; }
  has(id) { return this.#ids.has(id); }

  /** Whether a tap selects instead of opening. */
  get isActive() { return this.#isActive || this.#ids.size > 0; }

  begin() {
    this.#isActive = true;
    this.changed();
  }

  clear() {
    this.#isActive = false;
    this.#ids.clear();
    this.#start = null;
    this.changed();
  }

  toggle(id) {
    if (!this.#ids.delete(id)) this.#ids.add(id);
    this.#start = id;
    this.changed();
  }

  /** Selects everything from the photo that was selected last to this position. */
  async extend(position) {
    const start = this.#start && await this.grid.rows.position(this.#start);
    if (start === null || start === undefined) {
      const row = await this.grid.rows.at(position);
      return row && this.toggle(row.photo.id);
    }
    return this.#add(Math.min(start, position), Math.abs(start - position) + 1);
  }

  all() { return this.#add(0, this.grid.rows.count); }

  /** Selects a day; or no photo of it, if all of them are selected. */
  async section({ first, count }) {
    const ids = await this.grid.rows.ids(first, count);
    const isWhole = ids.every((id) => this.#ids.has(id));
    for (const id of ids) if (isWhole) this.#ids.delete(id); else this.#ids.add(id);
    this.changed();
  }

  async #add(first, count) {
    for (const id of await this.grid.rows.ids(first, count)) this.#ids.add(id);
    this.changed();
  }

  /** Leaves out photos that are not in the list any more: nobody sees that they are selected. */
  async keepListed() {
    if (!this.#ids.size) return;
    const listed = new Set(await this.grid.rows.ids(0, this.grid.rows.count));
    for (const id of this.#ids) if (!listed.has(id)) this.#ids.delete(id);
    this.changed();
  }
}

// The rows of a grid that were asked for: windows of one revision of a list, by position.
import { get } from "./api.js";

const size = 120;

export class Rows {
  #known = new Map();
  #positions = new Map();
  #asked = new Map();

  /** `arrived()` is called when rows are here, `outdated()` when the list has changed since its layout was read. */
  constructor(list, { arrived, outdated, signal }) {
    Object.assign(this, { list, arrived, outdated, signal });
    this.revision = null;
  }

  /** Starts anew with another revision. */
  reset({ revision, count }) {
    for (const rows of [this.#known, this.#positions, this.#asked]) rows.clear();
    Object.assign(this, { revision, count });
  }

  get isWaiting() { return this.#asked.size > 0; }

  get(position) { return this.#known.get(position); }

  /** Asks once for the window that a position is in. */
  ask(position) {
    const from = Math.floor(position / size) * size;
    if (this.#asked.has(from) || position < 0 || position >= this.count) return this.#asked.get(from);
    const { revision } = this;
    const answer = get(`/grid/${this.list}/rows?from=${from}&count=${size}`).then((window) => {
      if (this.signal.aborted || revision !== this.revision) return undefined;
      if (window.revision !== this.revision) return this.outdated();
      this.#asked.delete(from);
      window.rows.forEach((row, index) => this.#put(window.from + index, row));
      return this.arrived();
    }, () => { if (revision === this.revision) this.#asked.delete(from); });
    this.#asked.set(from, answer);
    return answer;
  }

  #put(position, row) {
    this.#known.set(position, row);
    this.#positions.set(row.photo.id, position);
  }

  /** Forgets rows whose content has changed. */
  drop(positions) {
    for (const position of positions) this.#known.delete(position);
  }

  /** The row at a position, asked for where it is not known; undefined behind the ends. */
  async at(position) {
    if (!this.#known.has(position)) await this.ask(position);
    return this.#known.get(position);
  }

  /** The position of a photo; undefined if it is not in the list. */
  async position(photo) {
    const known = this.#positions.get(photo);
    if (known !== undefined) return known;
    return (await get(`/grid/${this.list}/position/${photo}`)).position;
  }

  /** The photos at many positions, without their rows. */
  ids(from, count) {
    return count > 0 ? get(`/grid/${this.list}/ids?from=${from}&count=${count}`) : Promise.resolve([]);
  }
}

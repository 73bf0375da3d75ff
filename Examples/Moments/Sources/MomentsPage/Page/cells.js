// The cells of the photos in sight, and of the one that has the focus wherever it is.
import { dress, makeCell } from "./cell.js";

export class Cells {
  #cells = new Map();

  /** `element` is what the cells are in. */
  constructor(element) {
    this.element = element;
  }

  get(photo) { return this.#cells.get(photo); }

  get all() { return this.#cells.values(); }

  place(row, position, layout, isSelected) {
    let cell = this.#cells.get(row.photo.id);
    if (!cell) {
      cell = makeCell(row.photo.id);
      this.#cells.set(row.photo.id, cell);
      this.element.append(cell);
    }
    dress(cell, row);
    this.move(cell, position, layout);
    cell.ariaSelected = isSelected;
  }

  move(cell, position, layout) {
    const { left, top } = layout.place(position);
    const { side, count } = layout;
    cell.position = position;
    cell.style.cssText = `width:${side}px;height:${side}px;transform:translate(${left}px,${top}px)`;
    [cell.ariaSetSize, cell.ariaPosInSet] = [count, position + 1];
  }

  remove(photo) {
    this.#cells.get(photo)?.remove();
    this.#cells.delete(photo);
  }

  /** Removes the cells that are not to be kept. */
  prune(isKept) {
    for (const [photo, cell] of this.#cells) if (!isKept(photo, cell)) this.remove(photo);
  }

  /** Lets Tab lead to one cell. */
  setTabStop(stop) {
    for (const cell of this.#cells.values()) cell.tabIndex = cell === stop ? 0 : -1;
  }
}

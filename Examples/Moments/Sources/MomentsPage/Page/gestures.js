// What mouse, finger and keyboard do in a grid.

const press = 450;

export function listenToGestures(grid) {
  const { photos, selection, signal } = grid;
  const cellOf = (event) => event.target.closest(".cell");
  const isHeld = listenToHolding(photos, (cell) => selection.toggle(cell.photo));

  photos.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell || isHeld()) return undefined;
    grid.focused = { id: cell.photo, position: cell.position };
    if (event.shiftKey) return selection.extend(cell.position);
    const selects = event.target.closest(".pick") || event.ctrlKey || event.metaKey || selection.isActive;
    return selects ? selection.toggle(cell.photo) : grid.open(cell.photo);
  });
  photos.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (cell) grid.focused = { id: cell.photo, position: cell.position };
  });
  photos.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    const act = cell && actions[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    // Enter would also press the button that has the focus next.
    event.preventDefault();
    act(grid, cell, event);
  });
  // Wherever the focus is, unless somebody types or a dialog is open.
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input") || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && selection.isActive) selection.clear();
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); selection.all(); }
  }, { signal });
}

const move = (grid, cell, event) => {
  const position = grid.layout.neighbour(grid.next ?? cell.position, event.key, grid.scroller.clientHeight);
  if (!event.shiftKey) return grid.show(position);
  if (!grid.selection.has(cell.photo)) grid.selection.toggle(cell.photo);
  return grid.show(position).then(() => grid.selection.extend(position));
};

const actions = {
  "Enter": (grid, cell) => grid.open(cell.photo),
  " ": (grid, cell, event) => (event.shiftKey ? grid.selection.extend(cell.position) : grid.selection.toggle(cell.photo)),
  "d": (grid, cell) => grid.selection.section(grid.layout.section(cell.position)),
  ...Object.fromEntries(
    ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"].map((key) => [key, move])),
};

/** A finger that stays where it is for a moment selects. Returns whether the click that follows is the end of that. */
function listenToHolding(photos, held) {
  let [timer, start, isHeld] = [null, null, false];
  const end = () => clearTimeout(timer);
  photos.addEventListener("pointerdown", (event) => {
    end();
    isHeld = false;
    const cell = event.target.closest(".cell");
    if (event.pointerType === "mouse" || !cell) return;
    start = event;
    timer = setTimeout(() => { isHeld = true; held(cell); }, press);
  });
  photos.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 10) end();
  });
  for (const name of ["pointerup", "pointercancel"]) photos.addEventListener(name, end);
  // The system's own menu would come at the same time.
  photos.addEventListener("contextmenu", (event) => { if (event.pointerType === "touch") event.preventDefault(); });
  return () => isHeld;
}

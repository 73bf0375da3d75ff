// A view of photos: the grid, and above it a bar that stays in sight, with the title or what can be done with a selection.
import { counted, make } from "./dom.js";
import { Grid } from "./grid.js";
import { shareDialog } from "./share.js";

/** Returns the grid, and what gives the view another title. `about` is shown beside it. */
export function gridView(main, list, title, { about, signal, anchor, open }) {
  const heading = make("h2", { ariaLive: "polite" }, title);
  const actions = make("div.right");
  const bar = make("div.bar", {}, make("div.what", {}, heading, about), actions);
  const empty = emptyLibrary(list);
  const grid = new Grid(list, { bar, open, signal, anchor, chosen, loaded });
  const button = (text, onclick, kind = "button") => make(kind, { onclick }, text);

  function loaded({ count, isComplete }) {
    empty.hidden = count > 0 || !isComplete;
    actions.hidden = count === 0;
  }

  function chosen(selection) {
    grid.element.classList.toggle("selecting", selection.isActive);
    bar.classList.toggle("selecting", selection.isActive);
    heading.textContent = selection.isActive ? `${selection.size.toLocaleString()} selected` : title;
    const had = actions.contains(document.activeElement);
    actions.replaceChildren(...(selection.isActive ? selecting(selection) : [button("Select", () => selection.begin())]));
    // The button that was pressed has gone; its place keeps the focus.
    if (had) actions.querySelector("button").focus();
  }

  const selecting = (selection) => [
    selection.size ? button("Share…", () => shareDialog(selection.ids, () => selection.clear()), "button.primary") : null,
    grid.focused && grid.sections[0]?.title
      ? button("This day", () => selection.section(grid.layout.section(grid.focused.position))) : null,
    button("All", () => selection.all()),
    button("Done", () => selection.clear()),
  ].filter(Boolean);

  function rename(name) {
    title = name;
    if (!grid.selection.isActive) heading.textContent = name;
  }

  chosen(grid.selection);
  main.append(bar, empty, make("div.beside", {}, grid.element, grid.years.element));
  return { grid, rename };
}

function emptyLibrary(list) {
  if (list !== "timeline") return make("div.nothing", { hidden: true }, make("strong", {}, "No photos here"));
  return make("div.nothing", { hidden: true }, make("strong", {}, "No photos yet"),
    "Pictures come in by a command. Stop this page in its terminal with Ctrl-C, type ",
    make("code", {}, "moments import FOLDER"), " and start the page again as before: it finds the photos by itself.");
}

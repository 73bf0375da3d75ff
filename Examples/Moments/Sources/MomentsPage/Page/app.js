// The page: which view is shown, which photo is open above it, and what belongs to all of them.
import { follow } from "./api.js";
import { openPhoto, place } from "./address.js";
import { gridView } from "./gridview.js";
import { momentsView, momentView, notificationsView } from "./moments.js";
import { photoDialog } from "./photo.js";
import { startStatus } from "./status.js";

const main = document.querySelector("main");
let shown = { view: null, grid: null, end: new AbortController() };
let photo = null;

/** Where each view was left: a photo, and how far it was from the top. */
const left = new Map();

function route() {
  const { view, photo: id } = place();
  if (view !== shown.view) show();
  if (!id) { photo?.close(); photo = null; return; }
  if (photo?.isOpen) photo.show(id); else photo = shown.grid && photoDialog(shown.grid, id);
}

function show() {
  const { view, name, id } = place();
  if (shown.grid) left.set(shown.view, shown.grid.anchor());
  shown.end.abort();
  main.replaceChildren();
  main.scrollTop = 0;
  for (const link of document.querySelectorAll("nav a")) {
    link.ariaCurrent = link.hash === (name === "moment" ? "#/moments" : view) ? "page" : null;
  }
  follow(name === "moment" ? id : "timeline");
  const end = new AbortController();
  const options = { signal: end.signal, anchor: left.get(view), open: openPhoto };
  shown = { view, end, grid: null };
  if (name === "moments") momentsView(main, end.signal);
  else if (name === "notifications") notificationsView(main, end.signal);
  else if (name === "moment") shown.grid = momentView(main, id, options);
  else shown.grid = gridView(main, "timeline", "Photos", options).grid;
}

startStatus();
addEventListener("hashchange", route);
route();

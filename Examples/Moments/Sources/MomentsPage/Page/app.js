// The page: which view is shown, and what belongs to all of them.
import { follow, get } from "./api.js";
import { counted, make } from "./dom.js";
import { Grid } from "./grid.js";
import { momentsView, notificationsView } from "./moments.js";
import { photoDialog } from "./photo.js";
import { shareDialog } from "./share.js";
import { startStatus } from "./status.js";

const main = document.querySelector("main");
let shown = new AbortController();

async function route() {
  const [, view, id] = location.hash.split("/");
  shown.abort();
  shown = new AbortController();
  main.replaceChildren();
  main.scrollTop = 0;
  const current = view === "moment" ? "moments" : view || "photos";
  for (const link of document.querySelectorAll("nav a")) {
    link.ariaCurrent = link.hash === `#/${current}` ? "page" : null;
  }
  follow(view === "moment" ? id : "timeline");
  if (view === "moments") return momentsView(main, shown.signal);
  if (view === "notifications") return notificationsView(main, shown.signal);
  if (view !== "moment") return gridView("timeline", "Photos", shown.signal);
  const { signal } = shown;
  const moment = (await get("/moments")).find((moment) => moment.view.id === id);
  return gridView(id, moment?.view.title ?? "Moment", signal);
}

function gridView(list, title, signal) {
  if (signal.aborted) return undefined;
  const empty = make("div.nothing", { hidden: true }, make("strong", {}, "No photos yet"),
    "Import a folder of pictures: ", make("code", {}, "moments import FOLDER"));
  const heading = make("h2", {}, title);
  const actions = make("div.right");
  const grid = new Grid(list, { empty, signal, open: (position) => photoDialog(grid, position), chosen });
  function chosen(ids) {
    heading.textContent = ids.length ? counted(ids.length, "photo selected", "photos selected") : title;
    actions.replaceChildren(...(ids.length ? [
      make("button.primary", { onclick: () => shareDialog(ids, () => grid.clear()) }, "Share…"),
      make("button", { onclick: () => grid.clear() }, "Clear"),
    ] : []));
  }
  main.append(make("div.bar", {}, heading, actions), empty, grid.element);
  return grid.ready;
}

startStatus();
addEventListener("hashchange", route);
route();

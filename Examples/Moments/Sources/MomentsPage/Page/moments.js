// The moments that the user is in, who else is in them, and what others have shared.
import { get, on, post } from "./api.js";
import { counted, make, namesText, soon, timeText } from "./dom.js";
import { gridView } from "./gridview.js";
import { suggestionsSection } from "./suggestions.js";

export async function momentsView(main, signal) {
  const list = make("ul.cards");
  const title = make("div.bar", { hidden: true }, make("h3", {}, "Shared"));
  main.append(make("div.bar", {}, make("h2", {}, "Moments")), suggestionsSection(signal),
    make("section", { ariaLabel: "Shared moments" }, title, list));
  const draw = async () => {
    const moments = await get("/moments");
    list.replaceChildren(...moments.map(card));
    title.hidden = !moments.length;
    if (moments.length) return;
    list.replaceChildren(
      make("li.nothing", {}, make("strong", {}, "No moments yet"), "Select some photos and share them."));
  };
  on("moments", draw, signal);
  await draw();
}

function card({ view, isPending }) {
  return make("li", {}, make("a", { href: `#/moment/${view.id}` },
    view.cover ? make("img", { src: `/thumbnail/${view.cover}`, alt: "" }) : make("div.cover"),
    make("div.text", {}, make("strong", {}, view.title),
      make("span.quiet", {}, counted(view.photos, "photo"),
        isPending ? make("span.pending", {}, " · not on the server yet") : ""))));
}

/** The photos of a moment, and who is in it. Returns the grid. */
export function momentView(main, id, options) {
  const people = make("span.people.quiet");
  const lookers = make("span.lookers", { ariaLive: "polite" });
  const about = make("span.about", {}, people, lookers);
  const { grid, rename } = gridView(main, id, "Moment", { ...options, about });
  const draw = async () => {
    const moment = await get(`/moment/${id}`).catch(() => null);
    if (!moment || options.signal.aborted) return;
    rename(moment.title);
    people.replaceChildren(...who(moment));
  };
  const drawSoon = soon(draw);
  for (const name of ["moments", "status"]) on(name, drawSoon, options.signal);
  on("looking", (names) => {
    lookers.textContent = names.length ? `${namesText(names)} ${names.length === 1 ? "is" : "are"} looking now` : "";
  }, options.signal);
  draw();
  return grid;
}

function who({ members, invited }) {
  const faces = members.slice(0, 5).map((name) => make("span.avatar", { ariaHidden: "true" }, [...name][0] ?? "?"));
  const words = [
    members.length ? `With ${namesText(members)}` : "",
    invited.length ? `${members.length ? "and" : "For"} ${namesText(invited)}, who ${invited.length === 1 ? "has" : "have"} not seen it yet` : "",
  ].filter(Boolean).join(" ");
  return [...faces, make("span", {}, words || "Only you")];
}

export async function notificationsView(main, signal) {
  const list = make("ul.rows");
  main.append(make("div.bar", {}, make("h2", {}, "News")), list);
  const fresh = new Set();
  const draw = async () => {
    const lines = await get("/notifications");
    for (const { view } of lines) if (!view.read) fresh.add(view.id);
    list.replaceChildren(...lines.map(({ view }) => line(view, fresh.has(view.id))));
    if (!lines.length) list.replaceChildren(make("li.nothing", {}, "Nothing has been shared with you yet."));
  };
  on("notifications", draw, signal);
  await draw();
  // Seen is read; what was new stays bold until the next look.
  await post("/notifications/read");
}

const line = (view, isNew) => make("li", {},
  make(isNew ? "span.what.new" : "span.what", {}, make("span", {},
    `${view.sender ?? "Somebody"} shared ${counted(view.photos, "photo")} in `,
    make("a", { href: `#/moment/${view.momentID}` }, view.moment ?? "a moment"))),
  make("span.quiet", {}, timeText(view.createdAt)));

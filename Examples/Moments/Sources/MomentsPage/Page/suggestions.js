// Suggested moments: photos that were taken together, and who may want them.
import { get, on } from "./api.js";
import { counted, make, soon } from "./dom.js";
import { shareDialog } from "./share.js";

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const names = new Intl.ListFormat(undefined, { type: "disjunction" });

/** A section that is empty while there is nothing to suggest, and drawn again when photos or moments change. */
export function suggestionsSection(signal) {
  const list = make("ul.cards");
  const section = make("section", { hidden: true, ariaLabel: "Suggestions" },
    make("div.bar", {}, make("h3", {}, "Share these?")), list);
  const draw = async () => {
    const suggestions = await get("/suggestions");
    section.hidden = suggestions.length === 0;
    list.replaceChildren(...suggestions.map((suggestion) => card(suggestion, draw)));
  };
  const drawSoon = soon(draw, 500);
  on("grid", drawSoon, signal);
  on("moments", drawSoon, signal);
  draw();
  return section;
}

function card({ startsAt, endsAt, photos, friends }, done) {
  const title = day.formatRange(new Date(startsAt), new Date(endsAt));
  const share = () => shareDialog(photos, done, { title, friend: friends[0] });
  return make("li", {}, make("button.card", { onclick: share },
    make("img", { src: `/thumbnail/${photos[Math.floor(photos.length / 2)]}`, alt: "" }),
    make("div.text", {}, make("strong", {}, title),
      make("span.quiet", {}, counted(photos.length, "photo"), friends.length ? ` · with ${names.format(friends)}?` : ""))));
}

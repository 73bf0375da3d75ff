// Lists of what is on its way, what did not happen and what was not uploaded: each with its picture, in plain words.
import { get, on, post } from "./api.js";
import { make, openDialog, soon, timeText } from "./dom.js";

export const showWaiting = () => listDialog("On its way", "/waiting", ({ deed, since, why }) =>
  row(deed.photo, deed.text, deed.person, why, make("span.quiet", {}, timeText(since))));

export const showFailed = () => listDialog("Did not happen", "/failed", ({ id, deed, why, at, canRetry }, draw) =>
  row(deed.photo, deed.text, deed.person, `${why} (${timeText(at)})`,
    canRetry ? make("button", { onclick: () => post(`/failed/${id}/retry`).then(draw) }, "Try again") : null,
    make("button", { onclick: () => post(`/failed/${id}/dismiss`).then(draw) }, "Seen")));

export const showRefusals = () => listDialog("Not uploaded", "/refusals", ({ photo, name, reason, remedy }) =>
  row(photo, name, null, `${reason} ${remedy}`),
make("p.quiet", {}, "These pictures are safe on this device. Others cannot see them yet."),
make("button", { onclick: () => post("/retry") }, "Try again now"));

function row(photo, text, person, why, ...rest) {
  const picture = photo ? make("img", { src: `/thumbnail/${photo}`, alt: "" }) : make("span.no-picture");
  return make("li", {}, picture, make("span.what", {}, make("strong", {}, text),
    person && !text.includes(person) ? make("span.person", {}, `Photo by ${person}`) : null,
    make("span.quiet", {}, why)), ...rest);
}

/** A list that is drawn again while it is open. `intro` stands above it, `action` beside Close. */
function listDialog(title, path, item, intro, action) {
  const list = make("ul.rows");
  const closed = new AbortController();
  const draw = async () => {
    const items = await get(path);
    list.replaceChildren(...items.map((each) => item(each, draw)));
    if (!items.length) list.replaceChildren(make("li", {}, "Nothing any more."));
  };
  const dialog = openDialog(make("dialog.small", { ariaLabel: title }, make("div.body", {}, make("h2", {}, title), intro, list,
    make("div.actions", {}, action, make("button.primary", { onclick: () => dialog.close() }, "Close")))));
  dialog.addEventListener("close", () => closed.abort());
  on("status", soon(draw), closed.signal);
  return draw();
}

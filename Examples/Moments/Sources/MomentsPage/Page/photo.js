// One photo, large, above its grid. It stays the same photo whatever comes or goes around it.
import { closePhoto, turnTo } from "./address.js";
import { get, on } from "./api.js";
import { isVideo } from "./cell.js";
import { Details } from "./details.js";
import { make, openDialog } from "./dom.js";
import { takenText } from "./taken.js";
import { complain } from "./toast.js";

/** Shows a photo; the arrow keys, a swipe and two buttons lead to its neighbours in the grid. */
export function photoDialog(grid, first) {
  const closed = new AbortController();
  const picture = make("img", { alt: "", draggable: false });
  const film = make("video", { controls: true, hidden: true });
  const missing = make("p.missing", { hidden: true },
    "This picture is not on this device yet. It comes once this device, and the one that has it, are online.");
  const side = make("aside", { ariaLabel: "About the photo" });
  const back = make("button.back", { ariaLabel: "The photo before", onclick: () => step(-1) }, "‹");
  const onward = make("button.on", { ariaLabel: "The next photo", onclick: () => step(1) }, "›");
  const figure = make("figure", {}, picture, film, missing,
    make("button.close", { ariaLabel: "Close", onclick: () => dialog.close() }, "✕"), back, onward);
  const dialog = make("dialog.photo", { ariaLabel: "Photo", tabIndex: -1 }, make("div.pane", {}, figure, side));
  let [id, details, drawn] = [null, null, null];

  const showMissing = () => { missing.hidden = false; picture.hidden = true; };
  picture.onload = () => { missing.hidden = true; picture.hidden = false; };
  dialog.addEventListener("close", () => {
    closed.abort();
    details?.save();
    closePhoto();
    grid.reveal(id);
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
    if (event.key === "l") details?.like.click();
  });
  listenToSwipes(figure, step);

  async function show(next) {
    if (next === id) return;
    details?.save();
    id = next;
    stop();
    details = new Details(id, { refresh, close: () => dialog.close() });
    side.replaceChildren(details.element);
    await refresh();
  }

  async function step(by) {
    const from = await grid.rows.position(id) ?? grid.focused?.position;
    const row = from === undefined ? undefined : await grid.rows.at(from + by);
    if (!row || !dialog.open) return;
    grid.focused = { id: row.photo.id, position: from + by };
    turnTo(row.photo.id);
    await show(row.photo.id);
  }

  async function refresh() {
    const [shown, asked] = [details, id];
    let page;
    try { page = await get(`/photo/${asked}`); } catch (error) {
      if (asked !== id || !dialog.open || shown.page) return;
      complain(error.message);
      dialog.close();
      return;
    }
    if (asked !== id) return;
    picture.alt = page.photo.caption ?? `Photo of ${takenText(page.photo)}`;
    if (isVideo(page.photo)) play(asked);
    else draw(asked);
    shown.show(page);
    const position = await grid.rows.position(id);
    [back.hidden, onward.hidden] = [position === 0, position === grid.rows.count - 1];
  }

  /** A picture that did not come is asked for again. */
  function draw(photo) {
    if (photo === drawn && !picture.hidden) return;
    picture.onerror = showMissing;
    picture.src = photo === drawn ? `/picture/${photo}?again=${Date.now()}` : `/picture/${photo}`;
    drawn = photo;
  }

  /** A video takes the picture's place. It is not drawn as well, because it may be long. */
  function play(video) {
    picture.onerror = null;
    [picture.hidden, missing.hidden, film.hidden] = [true, true, false];
    if (!film.src) film.src = `/picture/${video}`;
  }

  /** Without `load`, a video that is not seen any more would still be heard. */
  function stop() {
    if (!film.src) return;
    film.hidden = true;
    film.removeAttribute("src");
    film.load();
  }

  on("grid", refresh, closed.signal);
  on("status", refresh, closed.signal);
  // A caption that is being typed is kept if the window is closed.
  addEventListener("pagehide", () => details?.save(), { signal: closed.signal });
  // The dialog itself has the focus first, so that the keys work and no button looks pressed.
  openDialog(dialog).focus();
  show(first);
  return { show, close: () => dialog.close(), get isOpen() { return dialog.open; } };
}

function listenToSwipes(figure, step) {
  let start = null;
  figure.addEventListener("pointerdown", (event) => { start = event.pointerType === "mouse" ? null : event; });
  figure.addEventListener("pointerup", (event) => {
    const [right, down] = start ? [event.clientX - start.clientX, event.clientY - start.clientY] : [0, 0];
    start = null;
    if (Math.abs(right) > 50 && Math.abs(right) > 2 * Math.abs(down)) step(right > 0 ? -1 : 1);
  });
}

// One photo, large: its caption, tags and likes, and where its file is.
import { get, on, post } from "./api.js";
import { make, openDialog, toast } from "./dom.js";
import { shareDialog } from "./share.js";
import { takenText } from "./taken.js";

/** Shows the photo at a position of a grid; the arrow keys lead to its neighbours. */
export async function photoDialog(grid, start) {
  const closed = new AbortController();
  const picture = make("img", { alt: "" });
  const side = make("aside");
  const step = (by) => show(position + by);
  const dialog = openDialog(make("dialog.photo", { ariaLabel: "Photo" }, make("div.pane", {},
    make("figure", {}, picture,
      make("button.close", { ariaLabel: "Close", onclick: () => dialog.close() }, "✕"),
      make("button.back", { ariaLabel: "The photo before", onclick: () => step(-1) }, "‹"),
      make("button.on", { ariaLabel: "The next photo", onclick: () => step(1) }, "›")),
    side)));
  dialog.addEventListener("close", () => { closed.abort(); grid.show(Math.min(position, grid.layout.count - 1)); });
  dialog.addEventListener("keydown", (event) => {
    if (event.target.matches("input")) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
    if (event.key === "l") side.querySelector(".like")?.click();
  });
  let [position, id] = [start, null];

  async function show(next) {
    const found = await grid.id(next);
    if (!found) return;
    [position, id] = [next, found];
    picture.src = `/picture/${id}`;
    await refresh();
  }

  async function refresh() {
    const page = await get(`/photo/${id}`).catch(() => null);
    if (!page) return dialog.close();
    picture.alt = page.photo.caption ?? `Photo of ${takenText(page.photo)}`;
    // What somebody is typing stays.
    const isTyping = side.contains(document.activeElement) && document.activeElement.matches("input");
    if (!isTyping) side.replaceChildren(...parts(page));
    return undefined;
  }

  async function perform(action, text) {
    await post(`/photo/${id}/${action}`, { text });
    await refresh();
  }

  function parts({ photo, isPending, isLiked, file }) {
    const field = (label, action, value) => make("form", {
      onsubmit: (event) => {
        event.preventDefault();
        const { text } = event.target.elements;
        // It may be drawn again; what somebody types meanwhile in another one may not.
        text.blur();
        if (action === "caption" || text.value.trim()) perform(action, text.value);
      },
    }, make("label.field", {}, label, make("input", { type: "text", name: "text", value, autocomplete: "off" })));
    const hide = () => {
      const hidden = id;
      perform(photo.hidden ? "show" : "hide");
      toast("Hidden, on every device.", () => post(`/photo/${hidden}/show`));
      dialog.close();
    };
    const facts = [
      ["Taken", takenText(photo)], ["By", photo.owner], ["In", photo.moment],
      ["Size", `${photo.width} × ${photo.height}`], ["Name", photo.name],
      ["Place", photo.place && `${photo.place.latitude.toFixed(4)}, ${photo.place.longitude.toFixed(4)}`],
      ["File", file], ["State", isPending ? "Not confirmed by the server yet" : "Confirmed"],
    ].filter(([, value]) => value);
    return [
      make("div.actions", {},
        make("button.like", { ariaPressed: String(isLiked), onclick: () => perform(isLiked ? "unlike" : "like") },
          `${isLiked ? "♥" : "♡"} ${photo.likedBy.length || "Like"}`),
        make("button", { onclick: () => shareDialog([id], () => {}) }, "Share"),
        make("button", { onclick: hide }, "Hide")),
      field("Caption", "caption", photo.caption ?? ""),
      make("ul.tags", { ariaLabel: "Tags" }, ...photo.tags.map((tag) => make("li", {}, tag,
        make("button", { ariaLabel: `Remove the tag ${tag}`, onclick: () => perform("untag", tag) }, "×")))),
      field("Add a tag", "tag", ""),
      make("dl", {}, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
    ];
  }

  on("grid", refresh, closed.signal);
  on("status", refresh, closed.signal);
  await show(start);
}

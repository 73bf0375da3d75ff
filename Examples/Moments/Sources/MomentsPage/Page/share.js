// Sharing: some photos, a friend, and the moment that they go into.
import { get, post } from "./api.js";
import { counted, make, openDialog, toast } from "./dom.js";

/** `suggested` has a title and a friend, or none of both. */
export async function shareDialog(photos, done, suggested = {}) {
  const [friends, moments] = await Promise.all([get("/friends"), get("/moments")]);
  const input = (label, name, list, options) => make("label.field", {}, label,
    make("input", { type: "text", name, required: true, autocomplete: "off", list, value: suggested[name] ?? "" }),
    make("datalist", { id: list }, ...options.map((value) => make("option", { value }))));
  const form = make("form", { method: "dialog" },
    make("h2", {}, `Share ${counted(photos.length, "photo")}`),
    input("With: the name that your friend uses", "friend", "friends", friends.map(({ view }) => view.name)),
    input("In the moment", "title", "titles", moments.map(({ view }) => view.title)),
    make("p.quiet", {}, "A moment of a new title is made. It works offline: your friend sees it once you are both online."),
    make("div.actions", {},
      make("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      make("button.primary", {}, "Share")));
  const dialog = openDialog(make("dialog.small", { ariaLabel: "Share photos" }, form));
  form.onsubmit = async () => {
    const { friend, title } = Object.fromEntries(new FormData(form));
    await post("/share", { photos, friend, title });
    toast(`Shared ${counted(photos.length, "photo")} with ${friend}.`);
    done();
  };
}

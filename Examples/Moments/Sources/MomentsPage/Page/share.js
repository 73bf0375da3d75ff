// Sharing: some photos, a friend, and the moment that they go into.
import { get, post } from "./api.js";
import { counted, make, openDialog } from "./dom.js";
import { standing } from "./standing.js";
import { toast } from "./toast.js";

/** `suggested` has a title and a friend, or none of both. */
export async function shareDialog(photos, done, suggested = {}) {
  const [friends, moments, refusals] = await Promise.all(["/friends", "/moments", "/refusals"].map(get));
  const chosen = new Set(photos);
  const refused = refusals.filter(({ photo }) => chosen.has(photo)).length;
  const input = (label, name, list, options, placeholder = "") => make("label.field", {}, label,
    make("input", {
      type: "text", name, required: true, autocomplete: "off", list, placeholder, value: suggested[name] ?? "", maxLength: 200,
    }), make("datalist", { id: list }, ...options.map((value) => make("option", { value }))));
  const form = make("form", {},
    make("h2", {}, `Share ${counted(photos.length, "photo")}`),
    input("With: the name that your friend uses", "friend", "friends", friends.map(({ view }) => view.name)),
    input("In the moment", "title", "titles", moments.map(({ view }) => view.title), "A new title, or one that is there"),
    make("p.quiet", {}, hint(refused)),
    make("div.actions", {},
      make("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      make("button.primary", {}, "Share")));
  const dialog = openDialog(make("dialog.small", { ariaLabel: "Share photos" }, form));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { friend, title } = Object.fromEntries(new FormData(form));
    // What was typed stays there if it fails.
    await post("/share", { photos, friend, title });
    dialog.close();
    toast(outcome(counted(photos.length, "photo"), friend.trim(), refused));
    done();
  };
}

function hint(refused) {
  const when = obstacle(refused);
  return when ? `Your friend sees it ${when}.` : "Your friend sees it as soon as the pictures are on the server.";
}

/** Promises nothing that is not under way. */
function outcome(photos, friend, refused) {
  const when = obstacle(refused);
  return when ? `${photos} will be shared with ${friend} ${when}.` : `Sharing ${photos} with ${friend}.`;
}

function obstacle(refused) {
  if (standing.isAlone) return "once this device has a server: see --server of moments serve";
  if (refused) return `once the server takes the pictures; it refuses ${refused === 1 ? "one" : refused} of them now`;
  if (standing.isOffline) return "when this device is online";
  return standing.uploads ? "when the pictures are on the server" : "";
}

// What there is to say about one photo, and to do with it. Its parts are drawn again in place, so that focus and what is
// being typed stay.
import { post } from "./api.js";
import { make } from "./dom.js";
import { shareDialog } from "./share.js";
import { standing } from "./standing.js";
import { TakenField } from "./taken.js";
import { toast } from "./toast.js";

export class Details {
  constructor(id, { refresh, close }) {
    Object.assign(this, { id, refresh, close });
    this.like = make("button.like", { onclick: () => this.#perform(this.page.isLiked ? "unlike" : "like") });
    this.hide = make("button", { onclick: () => this.#hide() }, "Hide");
    this.caption = make("input", { type: "text", autocomplete: "off", maxLength: 2000, placeholder: "Say what it is" });
    this.tag = make("input", { type: "text", autocomplete: "off", maxLength: 100 });
    this.taken = new TakenField((text) => this.#perform("date", text));
    this.tags = make("ul.tags", { ariaLabel: "Tags" });
    this.facts = make("dl");
    // `change` comes with Enter, and whenever the field is left.
    this.caption.onchange = () => this.save();
    this.tag.onchange = () => this.#addTag();
    for (const field of [this.caption, this.tag]) {
      field.onkeydown = (event) => { if (event.key === "Enter") field.dispatchEvent(new Event("change")); };
    }
    this.element = make("div.details", { inert: true },
      make("div.actions", {}, this.like, make("button", { onclick: () => shareDialog([id], () => {}) }, "Share"), this.hide),
      make("label.field", {}, "Caption", this.caption), this.taken.element,
      make("div", {}, this.tags, make("label.field", {}, "Add a tag", this.tag)), this.facts);
  }

  show(page) {
    const { photo, isLiked } = page;
    // The text that the store has: what differs from it is not saved yet.
    const isEdited = this.page && this.caption.value !== this.saved;
    this.page = page;
    this.element.inert = false;
    if (!isEdited) this.caption.value = this.saved = photo.caption ?? "";
    this.like.ariaPressed = String(isLiked);
    this.like.textContent = `${isLiked ? "♥" : "♡"} ${photo.likedBy.length || "Like"}`;
    this.like.ariaLabel = `Like, ${photo.likedBy.length}`;
    this.hide.textContent = photo.hidden ? "Show again" : "Hide";
    this.taken.show(photo);
    this.#showTags(photo.tags);
    this.#showFacts(page);
  }

  /** Saves a caption that was typed. A failed one stays in the field. */
  async save() {
    const { value } = this.caption;
    if (!this.page || value === this.saved) return;
    const before = this.saved;
    this.saved = value;
    try { await this.#perform("caption", value); } catch { this.saved = before; }
  }

  async #perform(action, text) {
    await post(`/photo/${this.id}/${action}`, { text });
    await this.refresh();
  }

  async #addTag() {
    const { value } = this.tag;
    if (!value.trim()) return;
    this.tag.value = "";
    try { await this.#perform("tag", value); } catch { this.tag.value = value; }
  }

  async #hide() {
    if (this.page.photo.hidden) return this.#perform("show");
    await post(`/photo/${this.id}/hide`);
    this.close();
    return toast("Hidden from your photos.", () => post(`/photo/${this.id}/show`));
  }

  #showTags(tags) {
    if (this.shownTags === tags.join("\n")) return;
    this.shownTags = tags.join("\n");
    const remove = (tag) => { this.tag.focus(); this.#perform("untag", tag); };
    this.tags.replaceChildren(...tags.map((tag) => make("li", {}, tag,
      make("button", { ariaLabel: `Remove the tag ${tag}`, onclick: () => remove(tag) }, "×"))));
  }

  #showFacts({ photo, isPending, file, isRefused }) {
    const facts = [
      ["By", photo.owner], ["In", photo.moment],
      ["Size", `${photo.width} × ${photo.height}`], ["Name", photo.name],
      ["Place", photo.place && `${photo.place.latitude.toFixed(4)}, ${photo.place.longitude.toFixed(4)}`],
      ["Picture", file, isRefused && "warning"],
      ["Changes", isPending && !standing.isAlone && "Not on the server yet"],
    ].filter(([, value]) => value);
    this.facts.replaceChildren(...facts.flatMap(([name, value, kind]) => [
      make("dt", {}, name), make(kind ? `dd.${kind}` : "dd", {}, value)]));
  }
}

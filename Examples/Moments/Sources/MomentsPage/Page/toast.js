// What the page says for some seconds at its lower edge, above whatever is open.
import { make } from "./dom.js";

const box = make("div.toasts", { role: "status", ariaLive: "polite" });

/** Says something for some seconds; `undo` takes it back. Returns what ends it. */
export const toast = (text, undo) => say(text, undo && { label: "Undo", act: undo }, 8000);

/** Says what went wrong, until the user has read it. */
export const complain = (text) => say(text, { label: "OK", act() {} });

/** Says something for as long as it holds. */
export const notice = (text) => say(text);

function say(text, button, milliseconds) {
  const note = make("div.toast", {}, make("span", {}, text));
  const clear = () => note.remove();
  if (button) note.append(make("button", { onclick: () => { clear(); button.act(); } }, button.label));
  // One line of each kind: a second error of the same words says nothing new.
  for (const old of box.children) if (old.firstChild.textContent === text) old.remove();
  box.append(note);
  raise();
  if (milliseconds) setTimeout(clear, milliseconds);
  return clear;
}

/** Whatever is outside of a modal dialog can be neither seen nor clicked, so the box moves into the topmost. */
export function raise() {
  const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  if (box.parentNode !== top) top.append(box);
}

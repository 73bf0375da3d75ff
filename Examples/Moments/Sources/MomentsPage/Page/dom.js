// Elements from a line of code, and words for dates.
import { raise } from "./toast.js";

/** `make("button.chip", {onclick}, "Text", child)` */
export function make(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    // `list` is a property that can only be read.
    if (key in element && key !== "list") element[key] = value; else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const dayFormats = ["long", "short"].map((style) => new Intl.DateTimeFormat(
  undefined, { weekday: style, day: "numeric", month: style, year: "numeric", timeZone: "UTC" }));
const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const names = new Intl.ListFormat(undefined, { type: "conjunction" });

/** A section's title: a day as `2026-11-23`, or nothing. */
export function dayText(title, isShort) {
  return /^\d{4}-\d\d-\d\d$/.test(title) ? dayFormats[isShort ? 1 : 0].format(new Date(`${title}T00:00Z`)) : "";
}
export const timeText = (time) => timeFormat.format(new Date(time));
export const namesText = (list) => names.format(list);
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** Calls `body` once it is calm: during an import things change many times a second. */
export function soon(body, milliseconds = 300) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(body, milliseconds);
  };
}

/** A dialog that is gone when it is closed. */
export function openDialog(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("close", () => { dialog.remove(); raise(); });
  dialog.addEventListener("pointerdown", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.showModal();
  raise();
  return dialog;
}

// Elements from a line of code, and words for dates.

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

const dayFormat = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A section's title: a day as `2026-11-23`, or nothing. */
export const dayText = (title) => (/^\d{4}-\d\d-\d\d$/.test(title) ? dayFormat.format(new Date(`${title}T00:00Z`)) : "");
export const timeText = (time) => timeFormat.format(new Date(time));
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** Says something for some seconds, also to a screen reader; `undo` takes it back. */
export function toast(text, undo) {
  const button = undo && make("button", { onclick: () => { clear(); undo(); } }, "Undo");
  const note = make("div", {}, text, button);
  const clear = () => note.remove();
  document.querySelector("#toast").replaceChildren(note);
  setTimeout(clear, 7000);
}

/** A dialog that is gone when it is closed. */
export function openDialog(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.showModal();
  return dialog;
}

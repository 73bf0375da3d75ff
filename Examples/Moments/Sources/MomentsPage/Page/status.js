// How the device stands: its network, what waits and why, what needs attention, how far uploads are.
import { events, get, on, post } from "./api.js";
import { counted, make, openDialog, timeText } from "./dom.js";

const find = (selector) => document.querySelector(selector);

export function startStatus() {
  on("status", show);
  on("lost", () => { find("#sync").textContent = "The page's server is gone; trying again."; });
  find("#network").addEventListener("change", (event) => post(`/network/${event.target.value}`).then(show));
  find("#waiting").onclick = () => listDialog("On its way", "/waiting", ({ name, since, why }) =>
    make("li", {}, make("span", {}, make("strong", {}, words(name)), make("div.quiet", {}, why)),
      make("span.quiet", {}, timeText(since))));
  find("#attention").onclick = () => listDialog("Did not happen", "/attention", (item, redraw) =>
    make("li", {}, make("span", {}, make("strong", {}, words(item.name)), make("div.quiet", {}, item.reason)),
      make("button", { onclick: () => post(`/attention/${item.id}/dismiss`).then(redraw) }, "Seen")));
}

function show({ user, network, activity, problem, pending, attention, unread, files }) {
  find("#user").textContent = user[0];
  find("#user").ariaLabel = `You are ${user}`;
  document.title = `${unread ? `(${unread}) ` : ""}Moments of ${user}`;
  find(`#network input[value="${network}"]`).checked = true;
  document.body.classList.toggle("alone", activity === "no server");
  chip("#waiting", pending, `${counted(pending, "change")} on the way`);
  chip("#attention", attention, `${counted(attention, "change")} did not happen`);
  chip("#unread", unread, unread);
  find("#unread").ariaLabel = `${unread} new`;
  const uploads = find("#uploads");
  uploads.hidden = files.uploads === 0;
  [uploads.max, uploads.value] = [files.bytes || 1, files.sent];
  uploads.ariaLabel = `${counted(files.uploads, "file")} to go up`;
  find("#sync").textContent = sentence({ network, activity, problem, files });
}

function chip(selector, count, text) {
  find(selector).hidden = count === 0;
  find(selector).textContent = text;
}

function sentence({ network, activity, problem, files }) {
  if (activity === "no server") return "On this device only";
  if (network === "offline") return "Offline: everything is kept";
  if (files.uploads) return `Uploading ${counted(files.uploads, "picture")}`;
  if (problem) return problem;
  return activities[activity] ?? activity;
}

const activities = {
  idle: "Up to date", pushing: "Sending…", pulling: "Fetching…", offline: "Looking for the server…", stopped: "Stopped",
};

/** `photo.hide` as words. */
const words = (name) => name.replace(".", ": ").replace(/([A-Z])/g, " $1").toLowerCase();

function listDialog(title, path, row) {
  const list = make("ul.rows");
  const closed = new AbortController();
  const draw = async () => {
    const items = await get(path);
    list.replaceChildren(...items.map((item) => row(item, draw)));
    if (!items.length) list.replaceChildren(make("li", {}, "Nothing."));
  };
  const dialog = openDialog(make("dialog.small", { ariaLabel: title }, make("div.body", {}, make("h2", {}, title), list,
    make("div.actions", {}, make("button", { onclick: () => dialog.close() }, "Close")))));
  dialog.addEventListener("close", () => closed.abort());
  events.addEventListener("status", draw, { signal: closed.signal });
  return draw();
}

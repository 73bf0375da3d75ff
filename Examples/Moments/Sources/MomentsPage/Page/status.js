// How the device stands: its network, what waits, what failed, how far uploads are.
import { on, post } from "./api.js";
import { counted } from "./dom.js";
import { showFailed, showRefusals, showWaiting } from "./problems.js";
import { standing } from "./standing.js";
import { notice } from "./toast.js";

const find = (selector) => document.querySelector(selector);

export function startStatus() {
  on("status", show);
  on("lost", lost);
  on("found", () => { clearNotice?.(); clearNotice = null; });
  find("#network").addEventListener("change", (event) => post(`/network/${event.target.value}`).then(show));
  find("#waiting").onclick = showWaiting;
  find("#failed").onclick = showFailed;
  find("#refused").onclick = showRefusals;
}

let clearNotice = null;

function lost({ isRefused }) {
  find("#sync").textContent = "";
  clearNotice?.();
  clearNotice = notice(isRefused
    ? "This page was started anew under another address. Open the address that moments serve has printed."
    : "This page's server has stopped. Start it again with moments serve, and this page goes on by itself.");
}

function show(status) {
  const { user, network, activity, pending, failedOperations, unread, refused, files } = status;
  const uploads = Math.max(0, files.uploads - files.failed);
  standing.isAlone = activity === "no server";
  standing.isOffline = network === "offline" || activity === "offline";
  standing.uploads = uploads;
  find("#user").textContent = user[0];
  find("#user").ariaLabel = find("#user").title = `You are ${user}`;
  document.title = `${unread ? `(${unread}) ` : ""}Moments of ${user}`;
  find(`#network input[value="${network}"]`).checked = true;
  document.body.classList.toggle("alone", standing.isAlone);
  chip("#waiting", pending, `${counted(pending, "change")} on the way`);
  chip("#failed", failedOperations, `${counted(failedOperations, "change")} did not happen`);
  chip("#refused", refused, `${counted(refused, "picture")} not uploaded`);
  chip("#unread", unread, unread);
  find("#unread").ariaLabel = `${unread} new`;
  const bar = find("#uploads");
  bar.hidden = uploads === 0 || standing.isOffline;
  [bar.max, bar.value] = [files.bytes || 1, files.sent];
  bar.ariaLabel = `${counted(uploads, "file")} to go up`;
  find("#sync").textContent = sentence(status, uploads);
}

function chip(selector, count, text) {
  find(selector).hidden = count === 0;
  find(selector).textContent = text;
}

function sentence({ network, activity, problem, refused }, uploads) {
  if (standing.isAlone) return "On this device only";
  if (network === "offline") return "Offline: everything is kept";
  if (activity === "offline") return problem ?? "Looking for the server…";
  if (uploads) return `Uploading ${counted(uploads, "picture")}`;
  // The chip beside it says what is not up to date.
  if (refused && activity === "idle") return "";
  return problem ?? activities[activity] ?? "";
}

const activities = { idle: "Up to date", pushing: "Sending…", pulling: "Fetching…", stopped: "Stopped" };

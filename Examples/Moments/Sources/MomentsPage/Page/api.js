// Requests to the device's page server, and its events.
import { complain } from "./toast.js";

class RequestError extends Error {}

async function request(path, options) {
  const response = await fetch(path, options).catch(() => {
    throw new RequestError("This page's server does not answer, so nothing was changed.");
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new RequestError(body.error ?? `This page's server refuses that (${response.status}).`);
  return body;
}

export const get = (path) => request(path);

/** Tells the user where it fails. It arrives even if the page is closed meanwhile, unless it is too large for that. */
export async function post(path, value = {}) {
  const body = JSON.stringify(value);
  try {
    return await request(path, { method: "POST", body, keepalive: body.length < 16_000 });
  } catch (error) {
    complain(error.message);
    throw error;
  }
}

// What cannot be read is read again once the server is back, and `post` has told the user.
addEventListener("unhandledrejection", (event) => { if (event.reason instanceof RequestError) event.preventDefault(); });

/** What happened on the device: `grid`, `moments`, `looking`, `notifications`, `status`, each with its detail; `lost` and `found`. */
export const events = new EventTarget();
let source;
let isLost = false;

/** Follows one grid of photos, instead of the one before. */
export function follow(list) {
  source?.close();
  source = new EventSource(`/events?list=${list}`);
  for (const name of ["grid", "moments", "looking", "notifications", "status"]) {
    source.addEventListener(name, (event) => tell(name, JSON.parse(event.data)));
  }
  source.onerror = () => lose(list);
  source.onopen = find;
}

function lose(list) {
  isLost = true;
  // The browser tries again by itself, unless the server is there and refuses.
  const isRefused = source.readyState === EventSource.CLOSED;
  tell("lost", { isRefused });
  if (isRefused) setTimeout(() => { if (source.readyState === EventSource.CLOSED) follow(list); }, 3000);
}

function find() {
  if (!isLost) return;
  isLost = false;
  tell("found");
  // A server that was started again counts revisions anew, so none of the known ones means anything.
  tell("grid", { revision: null, updates: [] });
  tell("moments");
  tell("notifications");
}

const tell = (name, detail) => events.dispatchEvent(new CustomEvent(name, { detail }));

/** Listens until the signal is aborted. */
export const on = (name, body, signal) => events.addEventListener(name, (event) => body(event.detail), { signal });

// Requests to the device's page server, and its events.
import { toast } from "./dom.js";

async function request(path, options) {
  const response = await fetch(path, options);
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.error ?? `The page's server answers ${response.status}.`);
  return body;
}

export const get = (path) => request(path);

/** Tells the user where it fails. */
export async function post(path, body = {}) {
  try {
    return await request(path, { method: "POST", body: JSON.stringify(body) });
  } catch (error) {
    toast(error.message);
    throw error;
  }
}

/** What happened on the device: `grid`, `moments`, `notifications`, `status`, each with its detail; `lost` and `found`. */
export const events = new EventTarget();
let source;

/** Follows one grid of photos, instead of the one before. */
export function follow(list) {
  source?.close();
  source = new EventSource(`/events?list=${list}`);
  for (const name of ["grid", "moments", "notifications", "status"]) {
    source.addEventListener(name, (event) => tell(name, JSON.parse(event.data)));
  }
  source.onerror = () => tell("lost");
  source.onopen = () => tell("found");
}

const tell = (name, detail) => events.dispatchEvent(new CustomEvent(name, { detail }));

/** Listens until the signal is aborted. */
export const on = (name, body, signal) => events.addEventListener(name, (event) => body(event.detail), { signal });

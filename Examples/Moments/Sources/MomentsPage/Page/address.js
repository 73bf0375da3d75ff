// Where the page is: a view, and the photo that is open above it. Back closes the photo, and nothing else changes.

/** `#/photos`, `#/moments`, `#/notifications` or `#/moment/ID`, each with `/photo/ID` behind it where one is open. */
export function place() {
  const [view, photo] = (location.hash || "#/photos").split("/photo/");
  const [, name, id] = view.split("/");
  return { view, name, id, photo };
}

export function openPhoto(photo) {
  history.pushState({ closesByBack: true }, "", `${place().view}/photo/${photo}`);
  dispatchEvent(new Event("hashchange"));
}

/** Another photo in the place of the open one: Back still closes it. */
export const turnTo = (photo) => history.replaceState(history.state, "", `${place().view}/photo/${photo}`);

export function closePhoto() {
  if (!place().photo) return;
  // The address was opened with a photo: there is nothing of this page to go back to.
  if (history.state?.closesByBack) history.back(); else history.replaceState(null, "", place().view);
}

// One photo of the grid.
import { standing } from "./standing.js";
import { counted, make } from "./dom.js";
import { takenText } from "./taken.js";

export function makeCell(photo) {
  const image = make("img", { alt: "", draggable: false, decoding: "async" });
  image.onerror = () => image.classList.add("failed");
  image.onload = () => image.classList.remove("failed");
  image.src = `/thumbnail/${photo}`;
  const cell = make("div.cell", { role: "option", tabIndex: -1 }, image, make("span.pick", { ariaHidden: "true" }));
  cell.photo = photo;
  return cell;
}

export const isVideo = ({ mime }) => mime.startsWith("video/");

/** Draws what a row says, once. */
export function dress(cell, row) {
  if (cell.row === row) return;
  const { photo, isPending } = row;
  cell.row = row;
  for (const old of cell.querySelectorAll(".mark")) old.remove();
  if (isPending) cell.append(make("span.mark.pending", { title: "Not on the server yet" }, "…"));
  if (isVideo(photo)) cell.append(make("span.mark.video", { ariaHidden: "true" }, "▶"));
  if (photo.likes) cell.append(make("span.mark.likes", {}, `♥ ${photo.likes}`));
  cell.ariaLabel = [
    photo.caption ?? (isVideo(photo) ? "Video" : "Photo"), takenText(photo), photo.likes ? counted(photo.likes, "like") : "",
    isPending && !standing.isAlone ? "not on the server yet" : "",
  ].filter(Boolean).join(", ");
}

/** Pictures that did not come are asked for again. */
export function retryPictures(cells) {
  for (const cell of cells) {
    const image = cell.querySelector("img.failed");
    if (image) image.src = `/thumbnail/${cell.photo}?again=${Date.now()}`;
  }
}

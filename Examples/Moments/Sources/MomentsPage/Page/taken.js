// The date of a photo: as a text, and as a field that corrects it.
import { make } from "./dom.js";

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** The time that the clock showed where the photo was taken; `takenAt` is that time as if in UTC. */
export const takenText = ({ takenAt, dateIsGuess }) =>
  `${format.format(new Date(takenAt))}${dateIsGuess ? " (a guess)" : ""}`;

/** A date that is saved with Enter, and when the field is left: while it is typed, half of it is a date too. */
export class TakenField {
  constructor(save) {
    this.input = make("input", { type: "datetime-local", required: true });
    this.guess = make("span.quiet", { hidden: true }, "A guess from the file: correct it if you know better.");
    this.element = make("label.field", {}, "Taken", this.input, this.guess);
    const commit = async () => {
      const { value } = this.input;
      if (!value || value === this.saved) { this.input.value = this.saved; return; }
      const before = this.saved;
      this.saved = value;
      try { await save(value); } catch { this.input.value = this.saved = before; }
    };
    this.input.onblur = commit;
    this.input.onkeydown = (event) => { if (event.key === "Enter") commit(); };
  }

  show({ takenAt, dateIsGuess }) {
    this.guess.hidden = !dateIsGuess;
    const time = new Date(takenAt).toISOString();
    if (document.activeElement === this.input && this.input.value !== this.saved) return;
    this.input.value = this.saved = time.slice(0, 16);
  }
}

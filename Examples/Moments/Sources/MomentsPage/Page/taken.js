// The date of a photo as a text.

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** The time that the clock showed where the photo was taken; `takenAt` is that time as if in UTC. */
export const takenText = ({ takenAt, dateIsGuess }) =>
  `${format.format(new Date(takenAt))}${dateIsGuess ? " (a guess)" : ""}`;

// The headings of the days, each in sight for as long as a photo of its day is.
import { counted, dayText, make } from "./dom.js";

export class Days {
  #known = new Map();

  /** `select(section)` is called for the day whose button is pressed. */
  constructor(select) {
    this.select = select;
    this.element = make("div.days");
  }

  draw(sections, layout, isSelecting) {
    const seen = new Set();
    const isShort = layout.width < 700;
    this.element.classList.toggle("selecting", isSelecting);
    for (const section of sections.filter((section) => section.title)) {
      seen.add(section.title);
      const day = this.#known.get(section.title) ?? this.#make(section.title);
      const text = `${dayText(section.title, isShort)}|${section.count}`;
      if (day.text !== text) {
        day.name.replaceChildren(dayText(section.title, isShort), make("span", {}, counted(section.count, "photo")));
        day.text = text;
      }
      day.section = section;
      day.element.style.cssText = `top:${section.top}px;height:${section.height}px`;
    }
    for (const [title, { element }] of this.#known) {
      if (!seen.has(title)) { element.remove(); this.#known.delete(title); }
    }
  }

  #make(title) {
    const name = make("h3");
    // By keyboard it is `d`, or the button in the bar: a stop at each day would be in the way.
    const button = make("button", { tabIndex: -1, onclick: () => this.select(day.section) }, "Select");
    button.ariaLabel = `Select ${dayText(title)}`;
    const day = { name, element: make("div.day", {}, make("div.head", {}, name, button)) };
    this.#known.set(title, day);
    this.element.append(day.element);
    return day;
  }
}

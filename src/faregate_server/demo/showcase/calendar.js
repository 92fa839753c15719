// The season: a table for each month, a button for each day that can be booked.
import { element } from "./elements.js";

const SHADES = 5;
const DAYS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, PageUp: -28, PageDown: 28 };
const MS_PER_DAY = 86_400_000;

const dateOf = (day) => Date.parse(day);
const later = (day, days) => new Date(dateOf(day) + days * MS_PER_DAY).toISOString().slice(0, 10);
const placesOf = (option) => option.availableCapacity?.max ?? null;

// Returns all validities of a product from a day on, page by page.
export async function readSeason(ask, productId, query) {
  const options = [];
  let cursor = {};
  do {
    const path = `api/booking/products/${productId}/journey/validities`;
    const page = await ask(path, { query: { ...query, limit: 366, ...cursor } });
    options.push(...page.data.options);
    cursor = page.meta.nextCursor && { cursor: page.meta.nextCursor };
  } while (cursor);
  return options;
}

// Groups the options by day in the merchant's time zone, as in the response.
export function byDay(options) {
  const days = new Map();
  for (const option of options) {
    const day = option.value.from.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), option]);
  }
  return days;
}

export const isBookable = (options) => options.some((option) => option.isAvailable);
export const cheapest = (options) =>
  Math.min(...options.filter((each) => each.isAvailable || !isBookable(options)).map((each) => each.price.minPrice));
export const mostPlaces = (options) => Math.max(...options.map((option) => placesOf(option) ?? -1));

// The lowest and highest price, and the number of shades between them.
export function scaleOf(days) {
  const prices = [...days.values()].filter(isBookable).map(cheapest);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const shade = (price) => (high > low ? Math.floor(Math.min((price - low) / (high - low), 0.999) * SHADES) : 1);
  return { low, high, shade };
}

export function drawCalendar(box, days, words, choose) {
  const scale = scaleOf(days);
  const most = Math.max(...[...days.values()].map(mostPlaces));
  const prices = [...days.values()].map(cheapest);
  const short = words.short(prices);
  box.style.setProperty("--chars", Math.max(4, ...prices.map((price) => short(price).length)));
  const cell = (day) => drawDay(day, days.get(day), { scale, most, words, short });
  const months = [...new Set([...days.keys()].map((day) => day.slice(0, 7)))];
  box.replaceChildren(...months.map((month) => drawMonth(month, cell, words)));
  const buttons = [...box.querySelectorAll("button:enabled")];
  if (buttons.length) buttons[0].tabIndex = 0;
  box.onclick = ({ target }) => {
    const button = target.closest("button:enabled");
    if (button) choose(button.dataset.day);
  };
  box.onkeydown = (event) => {
    const next = reached(buttons, document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    rove(buttons, next);
    next.focus();
  };
}

export function markChosen(box, day) {
  const buttons = [...box.querySelectorAll("button:enabled")];
  for (const button of buttons) button.setAttribute("aria-pressed", button.dataset.day === day);
  rove(buttons, buttons.find((button) => button.dataset.day === day));
}

// Tab reaches one of the buttons, arrow keys the others.
function rove(buttons, one) {
  for (const button of buttons) button.tabIndex = button === one ? 0 : -1;
}

function reached(buttons, from, key) {
  if (key === "Home") return buttons[0];
  if (key === "End") return buttons.at(-1);
  if (!(key in DAYS) || !from.dataset.day) return undefined;
  const goal = later(from.dataset.day, DAYS[key]);
  return DAYS[key] > 0
    ? buttons.find((button) => button.dataset.day >= goal)
    : buttons.findLast((button) => button.dataset.day <= goal);
}

function drawMonth(month, cell, words) {
  const first = new Date(`${month}-01T00:00Z`);
  const empty = (first.getUTCDay() + 6) % 7;
  const days = [];
  for (let day = `${month}-01`; day.startsWith(month); day = later(day, 1)) days.push(day);
  const places = [...Array(empty).fill(null), ...days];
  const weeks = [];
  while (places.length) weeks.push(places.splice(0, 7));
  const row = (week) => element("tr", {}, ...week.map((day) => (day ? cell(day) : element("td"))));
  return element(
    "table",
    { role: "grid" },
    element("caption", {}, words.month(first)),
    element("thead", {}, element("tr", {}, ...words.weekdays().map(drawWeekday))),
    element("tbody", {}, ...weeks.map(row)),
  );
}

const drawWeekday = ([short, long]) => element("th", { scope: "col", abbr: long }, short);

function drawDay(day, options, { scale, most, words, short }) {
  const number = element("span", { className: "day" }, String(Number(day.slice(8))));
  if (!options) return element("td", { className: "none" }, number);
  const price = cheapest(options);
  const isOpen = isBookable(options);
  const places = mostPlaces(options);
  const label = [words.longDay(day), words.money(price), isOpen ? words.places(places) : words.text.closed];
  const said = label.filter(Boolean).join(", ");
  const button = element(
    "button",
    {
      type: "button",
      className: isOpen ? `shade-${scale.shade(price)}` : "closed",
      disabled: !isOpen,
      tabIndex: -1,
      "data-day": day,
      title: said,
      ariaLabel: said,
    },
    number,
    element("span", { className: "price" }, short(price)),
  );
  if (places >= 0) button.append(element("span", { className: "places", "--part": most ? places / most : 0 }));
  return element("td", {}, button);
}

export function drawLegend(box, days, words) {
  const { low, high } = scaleOf(days);
  const shades = low < high ? [0, 1, 2, 3, 4] : [1];
  const swatches = shades.map((shade) => element("i", { className: `shade-${shade}` }));
  const highest = low < high ? ` ${words.money(high)}` : "";
  box.replaceChildren(
    element("span", {}, `${words.text.price} ${words.money(low)} `, ...swatches, highest),
    element("span", {}, element("i", { className: "bar" }), words.text.places),
    element("span", {}, element("i", { className: "closed" }), words.text.closed),
  );
}

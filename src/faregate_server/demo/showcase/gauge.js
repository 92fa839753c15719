// The position of a price among all available ones: their distribution, and the band of typical prices.
import { element } from "./elements.js";

const MOST_BARS = 32;

// The frequency of each price; many different prices are grouped.
function bars(prices, low, high) {
  const step = (high - low) / (MOST_BARS - 1) || 1;
  const isFew = new Set(prices).size <= MOST_BARS;
  const counts = new Map();
  for (const price of prices) {
    const at = isFew ? price : low + Math.round((price - low) / step) * step;
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return [...counts];
}

function levelOf(price, { lower, upper }) {
  if (price < lower.price) return "low";
  return price > upper.price ? "high" : "typical";
}

export function drawGauge(box, { benchmark, thresholds }, prices, words, shade) {
  const { lower, upper } = thresholds;
  const price = benchmark.price;
  const all = [...prices, price, lower.price, upper.price];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const at = (value) => (high > low ? (100 * (value - low)) / (high - low) : 50);
  const found = bars(prices, low, high);
  const most = Math.max(...found.map(([, count]) => count), 1);
  const level = levelOf(price, thresholds);
  const picture = element(
    "div",
    { className: "gauge", ariaHidden: true },
    element("span", { className: "typical", "--from": at(lower.price), "--to": at(upper.price) }),
    ...found.map(([value, count]) =>
      element("span", { className: `bar shade-${shade(value)}`, "--at": at(value), "--part": count / most }),
    ),
    element("span", { className: "mark", "--at": at(price) }),
  );
  const ends = high > low ? [words.money(low), words.money(high)] : [words.money(low)];
  box.replaceChildren(
    element("p", { className: "level" }, element("strong", {}, `${words.money(price)} ${words.text.levels[level]}.`)),
    picture,
    element("p", { className: "ends", ariaHidden: true }, ...ends.map((end) => element("span", {}, end))),
    facts([
      [words.text.typical, `${words.money(lower.price)} – ${words.money(upper.price)}`],
      [words.text.observations, words.number(prices.length)],
      [words.text.rank, words.percent(benchmark.percentile)],
    ]),
  );
}

const facts = (pairs) =>
  element("dl", {}, ...pairs.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));

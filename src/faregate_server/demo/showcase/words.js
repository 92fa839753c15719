// Texts, amounts and days in a language, formatted for the merchant's country.
import { TEXTS } from "./texts.js";

const MONDAY = Date.UTC(2024, 0, 1);
const MS_PER_DAY = 86_400_000;

export function wordsOf(language, { currency, decimals, territory }) {
  const locale = territory ? `${language}-${territory}` : language;
  const text = TEXTS[language];
  const amounts = (options) => new Intl.NumberFormat(locale, options).format;
  // Decimals of ISO 4217, since those of browsers differ.
  const places = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const inCurrency = new Intl.NumberFormat(locale, { style: "currency", currency, ...places });
  // Without the currency, since some languages format numbers beside it differently.
  const bare = ({ type }) => type !== "currency" && type !== "literal";
  const amount = (value) => inCurrency.formatToParts(value).filter(bare).map((part) => part.value).join("");
  const number = amounts({ maximumFractionDigits: 0 });
  const percent = amounts({ style: "percent", maximumFractionDigits: 1 });
  // Days are in the merchant's time zone, not the reader's.
  const days = (options) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  const long = days({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const short = days({ day: "numeric", month: "short", year: "numeric" });
  const month = days({ month: "long", year: "numeric" });
  const week = ["short", "long"].map((weekday) => days({ weekday }));
  const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const hours = days({ hour: "2-digit", minute: "2-digit" });
  const local = (instant) => new Date(`${instant.slice(0, 19)}Z`);
  return {
    text,
    money: inCurrency.format,
    amount: (value) => amount(value).replace("-", "−"),
    number,
    // Decimals are omitted if all amounts are integers.
    short: (prices) => (prices.every(Number.isInteger) ? number : amounts(places)),
    percent: (value) => percent(value / 100),
    month: (date) => month.format(date),
    longDay: (day) => long.format(new Date(day)),
    time: (instant) => clock.format(new Date(instant)),
    hour: (instant) => hours.format(local(instant)),
    weekdays: () => [0, 1, 2, 3, 4, 5, 6].map((day) => week.map((form) => form.format(MONDAY + day * MS_PER_DAY))),
    // A validity is half-open: its last day contains its last instant.
    period: ({ from, to }) => short.formatRange(local(from), new Date(local(to) - 1000)),
    places: (count) => (count < 0 ? "" : `${number(count)} ${text.places}`),
  };
}

// The choices of the reader and the resulting requests. Only the id of the basket is stored, for this tab.
import { asking, newId, Problem } from "./api.js";
import { drawBasket } from "./basket.js";
import { byDay, cheapest, drawCalendar, drawLegend, isBookable, markChosen, mostPlaces, readSeason, scaleOf } from "./calendar.js";
import { element, find } from "./elements.js";
import { drawGauge } from "./gauge.js";
import { TEXTS } from "./texts.js";
import { wordsOf } from "./words.js";

const SOLD = JSON.parse(find("sold").textContent);
const BASKET = "faregate.basket";
const LAST_DAY = 365;

const state = { language: firstLanguage(), product: null, days: new Map(), day: null, turn: 0 };
let words = wordsOf(state.language, SOLD);
let ask = asking(SOLD.channel, state.language);

function firstLanguage() {
  const wished = [new URLSearchParams(location.search).get("language"), ...navigator.languages];
  return wished.map((tag) => tag?.slice(0, 2)).find((tag) => tag in TEXTS) ?? "en";
}

// Shows errors; the messages of the API are in English.
async function trying(work) {
  find("problem").replaceChildren();
  try {
    await work();
  } catch (error) {
    find("problem").replaceChildren(refusal(error));
  }
}

function refusal({ message, reasons = [] }) {
  const listed = reasons.length ? [element("ul", {}, ...reasons.map((reason) => element("li", {}, reason)))] : [];
  return element("div", { lang: "en", className: "refusal" }, message, ...listed);
}

// ---- language

function speak(language) {
  state.language = document.documentElement.lang = language;
  words = wordsOf(language, SOLD);
  ask = asking(SOLD.channel, language);
  document.title = `faregate: ${words.text.title}`;
  for (const place of document.querySelectorAll("[data-text]")) place.textContent = words.text[place.dataset.text];
  find("earlier").ariaLabel = words.text.earlier;
  find("later").ariaLabel = words.text.later;
  find("languages").ariaLabel = words.text.languages;
  for (const button of find("languages").children) button.setAttribute("aria-pressed", button.lang === language);
  fill("product", SOLD.products.map(({ slug, name }) => [slug, name[language]]));
}

async function switchTo(language) {
  speak(language);
  history.replaceState(null, "", `?language=${language}`);
  const { day } = state;
  await readProduct();
  if (state.days.has(day)) await choose(day);
  await inTurn(readBasket);
}

// ---- season

// Fills a list of choices, keeps the selected one, and hides a list with a single choice.
function fill(id, pairs, usual) {
  const list = find(id);
  const kept = [list.value, String(usual)].find((value) => pairs.some(([known]) => String(known) === value));
  list.replaceChildren(...pairs.map(([value, name]) => element("option", { value }, name)));
  if (kept !== undefined) list.value = kept;
  list.parentElement.hidden = pairs.length < 2;
}

async function readProduct() {
  const turn = (state.turn += 1);
  const query = { include: "nextAvailability" };
  const { data: product } = await ask(`api/products/${find("product").value}`, { query });
  if (turn !== state.turn) return; // another choice was made meanwhile
  state.product = product;
  fill("variant", product.productVariants.map((each) => [each.id, each.translation || each.name]), product.standardProductVariantId);
  const path = `api/booking/products/${product.id}/journey/validities`;
  const found = product.hasValidity ? await ask(path, { query: { limit: 1 } }) : null;
  if (turn !== state.turn) return;
  fill("duration", found ? found.data.availableDurations.map((each) => [each.value, each.label]) : []);
  await readDays();
}

// The query of calendar and gauge: a year from the first available day.
function choices() {
  const first = state.product.nextAvailability?.from.slice(0, 10);
  if (!first) return null;
  const last = new Date(Date.parse(first) + LAST_DAY * 86_400_000).toISOString().slice(0, 10);
  return { productVariantId: find("variant").value, duration: find("duration").value, dateFrom: first, dateTo: last };
}

async function readDays() {
  const turn = (state.turn += 1);
  const query = choices();
  const options = query ? await readSeason(ask, state.product.id, query) : [];
  if (turn !== state.turn) return;
  state.days = byDay(options);
  drawCalendar(find("months"), state.days, words, (day) => trying(() => choose(day)));
  const first = [...state.days.keys()].find((day) => isBookable(state.days.get(day)));
  find("legend").hidden = find("earlier").parentElement.hidden = !first;
  if (first) drawLegend(find("legend"), state.days, words);
  await choose(first ?? null);
}

async function choose(day) {
  state.day = day;
  const open = day ? state.days.get(day).filter((option) => option.isAvailable) : [];
  fill("time", open.map((option, index) => [index, words.hour(option.value.from)]));
  markChosen(find("months"), day);
  find("add").disabled = !canAdd();
  find("chosen").replaceChildren(...said(day, open));
  await readInsight(day, open);
}

const canAdd = () => state.day !== null || !state.product.hasValidity;

function said(day, open) {
  if (day) {
    const parts = [words.longDay(day), words.places(mostPlaces(open))].map((part) => element("span", {}, part));
    return [parts[0], element("strong", {}, words.money(cheapest(open))), parts[1]];
  }
  if (state.product.hasValidity) return [words.text.nothing];
  const variant = state.product.productVariants.find((each) => String(each.id) === find("variant").value);
  return [element("span", {}, words.text.noDates), element("strong", {}, words.money(variant.priceRange.minPrice))];
}

async function readInsight(day, open) {
  const box = find("gauge");
  if (!day) {
    box.replaceChildren(element("p", {}, words.text.noInsight));
    return;
  }
  const { turn } = state;
  const query = { productId: state.product.id, ...choices(), price: cheapest(open) };
  const { data } = await ask("api/pricing/insights/distribution", { query });
  if (day !== state.day || turn !== state.turn) return;
  const { shade } = scaleOf(state.days);
  const prices = [...state.days.values()].flat().filter((each) => each.isAvailable).map((each) => each.price.minPrice);
  drawGauge(box, data, prices, words, shade);
}

// ---- basket

const basketPath = () => `api/checkout/${sessionStorage.getItem(BASKET)}`;

// Changes are made one after another, so that the last one is shown last.
let basketWork = Promise.resolve();
const inTurn = (work) => (basketWork = basketWork.then(() => work(), () => work()));
const onBasket = (work) => trying(() => inTurn(work));

async function readBasket() {
  if (!sessionStorage.getItem(BASKET)) return showEmpty();
  try {
    await showBasket(await ask(basketPath()));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    showOver(refusal(error));
  }
}

function showWithout(...said) {
  find("items").replaceChildren(...said);
  find("codes").hidden = true;
  find("total").textContent = "";
}

function showEmpty() {
  sessionStorage.removeItem(BASKET);
  showWithout(element("p", {}, words.text.empty));
}

// Shows why a basket has ended, and a button for a new one.
function showOver(why) {
  showWithout(element("div", { role: "alert" }, why), element("button", { type: "button", onclick: restart }, words.text.restart));
}

const restart = () => onBasket(showEmpty).then(() => find("basket-title").focus());

// Reads a checkout and the explanation of the same state: both have the same ETag.
async function paired(answer) {
  const path = `api/checkout/${answer.data.uuid}`;
  for (let tries = 0; ; tries += 1) {
    const explanation = await ask(`${path}/explanation`);
    if (explanation.etag === answer.etag || tries === 5) return [answer.data, explanation.data];
    answer = await ask(path);
  }
}

async function showBasket(answer) {
  const [checkout, explanation] = await paired(answer);
  if (checkout.status !== "OPEN") return showOver(words.text.over);
  const work = (path) => onBasket(() => change(path, { method: "DELETE" })).then(() => find("basket-title").focus());
  drawBasket(find("items"), checkout, explanation, words, {
    remove: (id) => work(`/items?itemId=${id}`),
    drop: (code) => work(`/vouchers/${encodeURIComponent(code)}`),
    restart,
  });
  find("codes").hidden = false;
  find("total").textContent = `${words.text.figures.totalGross} ${words.money(checkout.totalGross)}`;
}

// The basket itself may be the cause, so it is read again.
async function change(path, request, recover = readBasket) {
  if (!sessionStorage.getItem(BASKET)) return showEmpty();
  const answer = await ask(basketPath() + path, request).catch(async (error) => {
    await recover();
    throw error;
  });
  await showBasket(answer);
}

function chosenItem() {
  const open = state.day ? state.days.get(state.day).filter((option) => option.isAvailable) : [];
  return {
    // Unique within a basket: the range of client ids covers the milliseconds of three weeks.
    id: (Date.now() % 2_000_000_000) + 1,
    productVariantId: Number(find("variant").value),
    validity: open[Number(find("time").value)]?.value ?? null,
    personId: null,
    parentItemId: null,
    originatedItemId: null,
    discountCardTypeId: null,
  };
}

async function add(item) {
  const isFirst = !sessionStorage.getItem(BASKET);
  if (isFirst) sessionStorage.setItem(BASKET, newId());
  await change("/items", { method: "POST", body: { items: [item] } }, isFirst ? showEmpty : readBasket);
}

// ---- start

function listen() {
  const strip = find("months");
  const on = (id, event, work) => find(id).addEventListener(event, work);
  on("product", "change", () => trying(readProduct));
  on("variant", "change", () => trying(readDays));
  on("duration", "change", () => trying(readDays));
  on("earlier", "click", () => strip.scrollBy({ left: -strip.clientWidth }));
  on("later", "click", () => strip.scrollBy({ left: strip.clientWidth }));
  on("add", "click", async ({ currentTarget: button }) => {
    button.disabled = true;
    const item = chosenItem();
    await onBasket(() => add(item));
    button.disabled = !canAdd();
  });
  on("codes", "submit", (event) => {
    event.preventDefault();
    const body = { voucherCode: find("code").value };
    onBasket(() => change("/vouchers", { method: "POST", body }).then(() => event.target.reset()));
  });
}

find("languages").append(
  ...Object.entries(TEXTS).map(([lang, { name }]) =>
    element("button", { type: "button", lang, onclick: () => trying(() => switchTo(lang)) }, name),
  ),
);
find("known").append(...SOLD.codes.map((value) => element("option", { value })));
listen();
speak(state.language);
if (SOLD.first) find("product").value = SOLD.first;
trying(() => Promise.all([readProduct(), inTurn(readBasket)]));

// The basket: every amount is a button that opens the steps that add up to it.
import { element } from "./elements.js";

let ledgers = 0;

export function drawBasket(box, checkout, explanation, words, { remove, drop, restart }) {
  const numbers = new Map(checkout.items.map((item, index) => [item.id, index + 1]));
  const say = { ...words, numbers };
  const figures = new Map(explanation.items.map((item) => [item.id, item.figures]));
  const ledger = (chain, of) => drawLedger(chain, of, say);
  box.replaceChildren(
    element("ol", {}, ...checkout.items.map((item) => drawItem(item, figures.get(item.id), { say, ledger, remove }))),
    element("ul", { className: "codes" }, ...codesOf(checkout, words).map((code) => drawCode(code, words, drop))),
    element("div", { className: "sums" }, ...sumsOf(checkout, explanation).map(([name, amount]) =>
      drawFigure([words.text.figures[name]], amount, words, () => ledger([name], explanation.figures), name),
    )),
    element("p", { className: "held" },
      words.text.held(words.time(checkout.expiresAt)), " ",
      element("button", { type: "button", onclick: restart }, words.text.restart),
    ),
  );
}

function sumsOf(checkout, explanation) {
  const { listPriceGross, totalDiscountGross, donation, totalGross, totalNet, vouchers } = checkout;
  return Object.entries({
    listPriceGross,
    ...(totalDiscountGross && { totalDiscountGross }),
    ...(donation && { donation: donation.amount }),
    totalGross,
    totalNet,
    ...(vouchers.length && { amountDue: sum(explanation.figures.amountDue) }),
  });
}

function drawItem(item, figures, { say, ledger, remove }) {
  const { productVariant: variant, validity } = item;
  const name = `${variant.product.translation}, ${variant.translation}`;
  // The side on which prices are set comes first; the other side is derived from it.
  const isNet = figures.totalNet[0]?.rule !== "CARRIED";
  const chain = isNet ? ["totalNet", "totalGross"] : ["totalGross", "totalNet"];
  const removal = { type: "button", className: "remove", ariaLabel: `${say.text.remove}: ${name}`, onclick: () => remove(item.id) };
  const label = [name, element("small", {}, validity ? say.period(validity) : "")];
  return element(
    "li",
    {},
    drawFigure(label, item.totalGross, say, () => ledger(chain, figures), `item-${item.id}`),
    ...(item.isDeletable ? [element("button", removal, "×")] : []),
  );
}

// A name and its amount; the first click creates the ledger, every click shows or hides it.
function drawFigure(label, amount, words, makeLedger, name) {
  const id = `ledger-${(ledgers += 1)}`;
  const place = element("div", { id, hidden: true });
  const button = element(
    "button",
    { type: "button", className: "figure", "aria-expanded": "false", "aria-controls": id, "data-figure": name },
    element("span", {}, ...label),
    element("b", {}, words.money(amount)),
  );
  button.onclick = () => {
    if (!place.firstChild) place.append(makeLedger());
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", !place.hidden);
  };
  return element("div", {}, button, place);
}

// The steps of a figure and their sum; each further figure continues from the previous one.
function drawLedger(chain, figures, words) {
  const bodies = chain.map((name, index) => {
    const steps = index ? figures[name].slice(1) : figures[name];
    const total = element("tr", { className: "sum" },
      element("th", { scope: "row" }, words.text.figures[name]),
      element("td", {}, words.amount(sum(figures[name]))),
    );
    return element("tbody", { "data-figure": name }, ...steps.map((step) => drawStep(step, words)), total);
  });
  return element("table", {}, element("caption", { className: "unseen" }, words.text.figures[chain[0]]), ...bodies);
}

function drawStep(step, words) {
  const note = step.note ? [" ", element("small", { lang: "en" }, step.note)] : [];
  return element("tr", {},
    element("th", { scope: "row" }, nameOf(step, words), ...note),
    element("td", {}, words.amount(step.amount)),
  );
}

function nameOf({ rule, source, itemIds }, { text, numbers }) {
  if (itemIds.length) return `${text.items} ${itemIds.map((id) => numbers.get(id)).join(", ")}`;
  if (rule === "CARRIED") return text.figures[source];
  return source ? `${text.rules[rule]} ${source}` : text.rules[rule];
}

// Amounts have at most four decimals, so they are added exactly as integers.
const sum = (steps) => steps.reduce((total, step) => total + Math.round(step.amount * 10_000), 0) / 10_000;

function codesOf({ promoCodes, vouchers }, words) {
  const said = (code) => (code.valid ? `−${words.money(code.totalAmount)}` : words.text.reasons[code.reason] ?? code.reason);
  return [
    ...promoCodes.map((code) => ({ code: code.code, said: [code.displayName, said(code)].filter(Boolean).join(": ") })),
    ...vouchers.map(({ code, amount, reason }) => ({ code, said: words.text.reasons[reason] ?? `−${words.money(amount)}` })),
  ];
}

function drawCode({ code, said }, words, drop) {
  const removal = { type: "button", className: "remove", ariaLabel: `${words.text.remove}: ${code}`, onclick: () => drop(code) };
  return element("li", {}, element("span", {}, element("strong", {}, code), ` ${said}`), element("button", removal, "×"));
}

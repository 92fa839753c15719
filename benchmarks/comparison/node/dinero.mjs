// dinero.js v2: amounts in cents as JavaScript numbers, shared with its own `allocate`.
//
// It has neither division nor tax. `allocate(gross, [1000, rate])` splits a gross amount; the rest goes to the
// first share, so the tax is rounded down, and left-over cents go to the first lines.
import { add, allocate, dinero, halfAwayFromZero, minimum, multiply, subtract, toSnapshot, transformScale } from "dinero.js";
import { CHF } from "dinero.js/currencies";
import { readFileSync } from "node:fs";
import { drive } from "./drive.mjs";

const money = (amount) => dinero({ amount, currency: CHF });
const amountOf = (own) => toSnapshot(own).amount;
const total = (amounts) => amounts.reduce(add);
const shared = (amount, weights) => allocate(amount, weights.map(amountOf));

function inputs({ lines, automatic, percent, donation }, count) {
  const given = {
    lines: lines.map(([unit, quantity, rate]) => ({ unit: money(unit), quantity, rate })),
    rates: [...new Set(lines.map(([, , rate]) => rate))],
    automatic: money(automatic),
    percent: { amount: percent, scale: 2 },
    donation: money(donation),
  };
  return Array(count).fill(given);
}

function nets(amounts, { lines, rates }) {
  const found = Array(amounts.length);
  for (const rate of rates) {
    const own = [...lines.keys()].filter((index) => lines[index].rate === rate);
    const gross = own.map((index) => amounts[index]);
    const [net] = allocate(total(gross), [1000, rate]);
    shared(net, gross).forEach((share, place) => {
      found[own[place]] = share;
    });
  }
  return found;
}

function price(given) {
  const listed = given.lines.map(({ unit, quantity }) => multiply(unit, quantity));
  const first = listed.slice(0, 2);
  const automatic = shared(minimum([given.automatic, total(first)]), first);
  const left = listed.map((own, index) => (index < automatic.length ? subtract(own, automatic[index]) : own));
  const off = transformScale(multiply(total(left), given.percent), 2, halfAwayFromZero);
  const promo = shared(off, left);
  const discounts = promo.map((own, index) => (index < automatic.length ? add(own, automatic[index]) : own));
  const totals = left.map((own, index) => subtract(own, promo[index]));
  const totalNets = nets(totals, given);
  const discountNets = nets(discounts, given);
  const listNets = totalNets.map((own, index) => add(own, discountNets[index]));
  const zero = money(0);
  const autos = listed.map((_, index) => automatic[index] ?? zero);
  const columns = [listed, listNets, autos, promo, discounts, discountNets, totals, totalNets];
  const sums = columns.map(total);
  sums[6] = add(sums[6], given.donation);
  sums[7] = add(sums[7], given.donation);
  return { columns, sums };
}

function read({ columns, sums }) {
  return {
    rows: columns[0].map((_, index) => columns.map((column) => amountOf(column[index]))),
    totals: sums.map(amountOf),
  };
}

const { version } = JSON.parse(readFileSync(new URL("./node_modules/dinero.js/package.json", import.meta.url)));
await drive({ name: "dinero.js", version, inputs, price, read });

// Medusa's decorateCartTotals: tax-inclusive items with the shares of the discounts as adjustments.
//
// The shares are given, exact to the cent, because another module of Medusa computes them. The function changes
// its cart, so each call gets a new cart, made before timing. It never rounds.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { drive } from "./drive.mjs";

const folder = new URL("./node_modules/@medusajs/utils/", import.meta.url);
const { decorateCartTotals } = createRequire(import.meta.url)(new URL("dist/totals/cart/index.js", folder).pathname);

const adjustment = (code, cents) => ({ code, amount: cents / 100, is_tax_inclusive: true });

function cart({ lines, shares }) {
  return {
    currency_code: "chf",
    items: lines.map(([unit, quantity, rate], index) => ({
      id: `line_${index}`,
      unit_price: unit / 100,
      quantity,
      is_tax_inclusive: true,
      tax_lines: [{ code: `vat${rate}`, rate: rate / 10 }],
      adjustments: shares[index].map((cents, kind) => adjustment(["auto", "promo"][kind], cents)),
    })),
  };
}

const inputs = (basket, count) => Array.from({ length: count }, () => cart(basket));

const price = (own) => decorateCartTotals(own);

function figures(own, automatic, promo) {
  const [listed, listNet] = [own.original_total, own.original_subtotal].map(Number);
  const [discount, discountNet, gross, tax] = [
    own.discount_total,
    own.discount_subtotal,
    own.total,
    own.tax_total,
  ].map(Number);
  return [listed, listNet, automatic, promo, discount, discountNet, gross, gross - tax].map(
    (amount, place) => (place === 2 || place === 3 ? amount : amount * 100),
  );
}

function read(own, { shares, donation }) {
  const sums = [0, 1].map((kind) => shares.reduce((sum, share) => sum + share[kind], 0));
  const totals = figures(own, ...sums);
  totals[6] += donation;
  totals[7] += donation;
  return { rows: own.items.map((item, index) => figures(item, ...shares[index])), totals };
}

const { version } = JSON.parse(readFileSync(new URL("package.json", folder)));
await drive({ name: "@medusajs/utils", version, inputs, price, read });

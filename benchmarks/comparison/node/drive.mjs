// One contender as a process: a line of JSON in, a line of JSON out, until the input ends.
//
// {lines: [[unit price, quantity, per mille], ...], ...} prices one basket and returns its figures;
// {count} prices the same basket that many times and returns the seconds per call.
import { createInterface } from "node:readline";

const BATCH = 64;

export async function drive({ name, version, inputs, price, read }) {
  let basket;
  const answer = (request) => {
    if (request.count === undefined) {
      basket = request;
      const [input] = inputs(basket, 1);
      return { name, version, node: process.version, ...read(price(input), basket) };
    }
    return { seconds: seconds(inputs, price, basket, request.count) };
  };
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
  }
}

// Inputs are made a few at a time, outside of timing: keeping thousands would burden the garbage collector.
function seconds(inputs, price, basket, count) {
  let nanoseconds = 0n;
  for (let left = count; left > 0; left -= BATCH) {
    const batch = inputs(basket, Math.min(left, BATCH));
    const start = process.hrtime.bigint();
    for (const input of batch) {
      price(input);
    }
    nanoseconds += process.hrtime.bigint() - start;
  }
  return Number(nanoseconds) / 1e9 / count;
}

// Shop with openapi-fetch and the types that openapi-typescript generates; prints what happened as JSON.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";
import * as sandbox from "./sandbox.js";

type ProblemCode = components["schemas"]["Problem"]["code"];

const server = process.argv[2]!;
const client = createClient<paths>({ baseUrl: server });
const header = { "accept-language": "en", "service-channel-uuid": sandbox.WEBSHOP } as const;
const checkoutId = crypto.randomUUID();
const ofCheckout = { header, path: { checkoutId } };
const ofOrder = { header, path: { orderId: checkoutId } };

/** Return what was answered, without its envelope. */
async function data<T>(asked: Promise<{ data?: { data: T }; error?: unknown }>): Promise<T> {
  const { data: envelope, error } = await asked;
  if (!envelope) throw new Error(JSON.stringify(error));
  return envelope.data;
}

async function logIn() {
  const body = { idToken: await sandbox.idToken(server) };
  const { response } = await client.POST("/api/accounts/authenticate", { params: { header }, body });
  const authorization = `Bearer ${response.headers.get("access-token")}`;
  client.use({
    onRequest({ request }) {
      request.headers.set("authorization", authorization);
    },
  });
}

async function fill() {
  const body = { values: sandbox.PERSON };
  const person = await data(client.POST("/api/accounts/current/persons", { params: { header }, body }));
  const params = { header, path: { slug: "day-ticket" }, query: { include: ["nextAvailability" as const] } };
  const product = await data(client.GET("/api/products/{slug}", { params }));
  const { from, to } = product.nextAvailability!;
  const items = sandbox.items({ from, to }, person.id);
  await data(client.POST("/api/checkout/{checkoutId}/items", { params: ofCheckout, body: { items } }));
  for (const voucherCode of sandbox.CODES) {
    const entered = { params: ofCheckout, body: { voucherCode } };
    await data(client.POST("/api/checkout/{checkoutId}/vouchers", entered));
  }
  const answers = { params: ofCheckout, body: { formValues: sandbox.ANSWERS } };
  await data(client.POST("/api/checkout/{checkoutId}/checkout-conditions", answers));
}

async function refused(): Promise<ProblemCode> {
  const entered = { params: ofCheckout, body: { voucherCode: "NONE" } };
  const { error } = await client.POST("/api/checkout/{checkoutId}/vouchers", entered);
  if (!error) throw new Error("not refused");
  return error.code;
}

async function pay() {
  const card = {
    redirectUrls: sandbox.PAGES,
    isDefault: false,
    paymentMethods: ["VIS" as const],
    checkoutId,
  };
  const registered = { params: { header }, body: card };
  const begun = await data(client.POST("/api/payments/payment-details/register", registered));
  await sandbox.registerCard(begun.redirectUrl);
  const priced = await data(client.GET("/api/checkout/{checkoutId}", { params: ofCheckout }));
  const body = { expectedTotal: priced.totalGross };
  await data(client.POST("/api/checkout/{checkoutId}/payment", { params: ofCheckout, body }));
  return sandbox.until(
    () => data(client.GET("/api/checkout/{checkoutId}/payment/status", { params: ofCheckout })),
    ({ status }) => status !== "PENDING" && status !== "AUTHORIZED",
  );
}

await logIn();
await fill();
const code: ProblemCode = await refused();
const payment = await pay();
const order = await sandbox.until(
  () => data(client.GET("/api/orders/{orderId}", { params: ofOrder })),
  ({ isComplete }) => isComplete,
);
const { notices } = await data(client.GET("/api/orders/{orderId}/notices", { params: ofOrder }));
const told = {
  refused: code,
  payment: payment.status,
  vouchers: payment.secondaryPaymentProviders?.map(({ amount }) => amount),
  serials: order.items.map(({ ticket }) => ticket.serial),
  notices: notices.map(({ type }) => type),
};
console.log(JSON.stringify(told));

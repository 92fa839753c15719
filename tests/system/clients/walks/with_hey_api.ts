// Shop with the client that @hey-api/openapi-ts generates; prints what happened as JSON.

import * as api from "./client/index.js";
import { client } from "./client/client.gen.js";
import * as sandbox from "./sandbox.js";

const server = process.argv[2]!;
client.setConfig({ baseUrl: server });
const headers = { "accept-language": "en", "service-channel-uuid": sandbox.WEBSHOP } as const;
const checkoutId = crypto.randomUUID();
const ofCheckout = { headers, path: { checkoutId }, throwOnError: true } as const;
const ofOrder = { headers, path: { orderId: checkoutId }, throwOnError: true } as const;

async function logIn() {
  const body = { idToken: await sandbox.idToken(server) };
  const { response } = await api.authenticate({ headers, body, throwOnError: true });
  client.setConfig({ auth: response.headers.get("access-token")! });
}

async function fill() {
  const body = { values: sandbox.PERSON };
  const { data: person } = (await api.addPerson({ headers, body, throwOnError: true })).data;
  const path = { slug: "day-ticket" };
  const query = { include: ["nextAvailability" as const] };
  const { data: product } = (await api.getProduct({ headers, path, query, throwOnError: true })).data;
  const { from, to } = product.nextAvailability!;
  await api.addItems({ ...ofCheckout, body: { items: sandbox.items({ from, to }, person.id) } });
  for (const voucherCode of sandbox.CODES) await api.addCode({ ...ofCheckout, body: { voucherCode } });
  await api.setConditions({ ...ofCheckout, body: { formValues: sandbox.ANSWERS } });
}

async function refused(): Promise<api.Problem["code"]> {
  const path = { checkoutId };
  const { error } = await api.addCode({ headers, path, body: { voucherCode: "NONE" } });
  if (!error) throw new Error("not refused");
  return error.code;
}

async function pay(): Promise<api.PaymentStatus> {
  const body: api.RegisterPaymentDetailBody = {
    redirectUrls: sandbox.PAGES,
    isDefault: false,
    paymentMethods: ["VIS"],
    checkoutId,
  };
  const begun = await api.registerPaymentDetail({ headers, body, throwOnError: true });
  await sandbox.registerCard(begun.data.data.redirectUrl);
  const { totalGross } = (await api.getCheckout(ofCheckout)).data.data;
  await api.payCheckout({ ...ofCheckout, body: { expectedTotal: totalGross } });
  return sandbox.until(
    async () => (await api.getPaymentStatus(ofCheckout)).data.data,
    ({ status }) => status !== "PENDING" && status !== "AUTHORIZED",
  );
}

await logIn();
await fill();
const code = await refused();
const payment = await pay();
const order = await sandbox.until(
  async () => (await api.getOrder(ofOrder)).data.data,
  ({ isComplete }) => isComplete,
);
const { notices } = (await api.getOrderNotices(ofOrder)).data.data;
const told = {
  refused: code,
  payment: payment.status,
  vouchers: payment.secondaryPaymentProviders?.map(({ amount }) => amount),
  serials: order.items.map(({ ticket }) => ticket.serial),
  notices: notices.map(({ type }) => type),
};
console.log(JSON.stringify(told));

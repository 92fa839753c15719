// Everything of a purchase that no generated client does, and the values that it is made with.

export const WEBSHOP = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77";
export const ADULT = 101;
export const CHILD = 103;
export const CODES = ["WINTER10", "ALP-50"];
export const PERSON = { firstName: "Ada", lastName: "Byron", dateOfBirth: "1985-12-10" };
export const ANSWERS = {
  donation: 2,
  acceptTerms: true,
  media: { 1: 1 },
  shippingAddress: { addressLine1: "Dorfstrasse 1", zip: "7000", city: "Chur", countryCode: "CH" },
};
export const PAGES = {
  success: "https://shop.example/success",
  error: "https://shop.example/error",
  cancel: "https://shop.example/cancel",
};

/** Return an ID token of the development server. */
export async function idToken(server: string): Promise<string> {
  const body = JSON.stringify({ subject: "ada", email: "ada@byron.example" });
  const headers = { "content-type": "application/json" };
  const issued = await fetch(`${server}/dev/identity/token`, { method: "POST", headers, body });
  return ((await issued.json()) as { id_token: string }).id_token;
}

/** Fill in the page of the sandbox, as the customer would. */
export async function registerCard(page: string): Promise<void> {
  const text = await (await fetch(page)).text();
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const body = new URLSearchParams({ token, action: "succeed", method: "VIS", instrument: "pays" });
  await fetch(page, { method: "POST", body, redirect: "manual" });
}

/** Call *ask* until it answers what is done. */
export async function until<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export interface Validity {
  from: string;
  to: string;
}

/** Return an adult, who is named, and a child. */
export function items(validity: Validity, personId: number) {
  const blank = { validity, parentItemId: null, originatedItemId: null, discountCardTypeId: null };
  return [
    { ...blank, id: 1, productVariantId: ADULT, personId },
    { ...blank, id: 2, productVariantId: CHILD, personId: null },
  ];
}

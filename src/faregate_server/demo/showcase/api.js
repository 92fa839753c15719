// A client of the documented API.

export class Problem extends Error {
  constructor({ title, detail, errors = [] }) {
    super(detail ?? title);
    this.reasons = errors.map((error) => error.reason);
  }
}

// Returns a function that sends requests on a channel in a language: it returns JSON and ETag, or throws a Problem.
export function asking(channel, language) {
  const headers = { "service-channel-uuid": channel, "accept-language": language };
  return async (path, { method = "GET", query = {}, body } = {}) => {
    const content = body && { body: JSON.stringify(body) };
    const type = body && { "content-type": "application/json" };
    const url = `${path}?${new URLSearchParams(query)}`.replace(/\?$/, "");
    const response = await fetch(url, { method, headers: { ...headers, ...type }, ...content });
    const answer = await response.json();
    if (!response.ok) throw new Problem(answer);
    // A proxy that compresses the response makes its ETag a weak one.
    return { ...answer, etag: response.headers.get("etag")?.replace(/^W\//, "") };
  };
}

// Returns a UUID; browsers provide one only for pages loaded over TLS or from this machine.
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

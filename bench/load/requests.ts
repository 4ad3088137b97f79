import type { LoadPlan } from "./plan.ts";

const COUNTER_DIGITS = 10;
const ZERO = 48;
const NINE = 57;

/**
 * The requests of a load, each in bytes that were made beforehand: for a fresh idempotency key only its digits are
 * replaced.
 */
export class Requests {
  readonly #byToken: { readonly bytes: Buffer; readonly counterAt: number }[];
  readonly #counter = Buffer.alloc(COUNTER_DIGITS, ZERO);

  constructor(plan: LoadPlan) {
    // Two runs must not meet in a key.
    const run = crypto.randomUUID();
    this.#byToken = plan.tokens.map((token) => {
      const head = [
        `${plan.body === null ? "GET" : "POST"} ${plan.path} HTTP/1.1`,
        `Host: 127.0.0.1:${plan.port}`,
        `Authorization: Bearer ${token}`,
        ...(plan.body === null
          ? []
          : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(plan.body)}`]),
      ];
      const key = plan.hasClientKey ? `\r\nIdempotency-Key: ${run}-` : "";
      const before = Buffer.from(`${head.join("\r\n")}${key}`);
      const counter = plan.hasClientKey ? this.#counter : "";
      return {
        bytes: Buffer.from(`${before}${counter}\r\n\r\n${plan.body ?? ""}`),
        counterAt: plan.hasClientKey ? before.length : -1,
      };
    });
  }

  /** The request of one token. The bytes are good until the next call: they must be written at once. */
  of(token: number): Buffer {
    const request = this.#byToken[token];
    if (request === undefined) throw new Error(`there is no token ${token}`);
    if (request.counterAt !== -1) {
      this.#count();
      request.bytes.set(this.#counter, request.counterAt);
    }
    return request.bytes;
  }

  #count(): void {
    let at = COUNTER_DIGITS - 1;
    while (this.#counter[at] === NINE) this.#counter[at--] = ZERO;
    this.#counter[at] = (this.#counter[at] ?? ZERO) + 1;
  }
}

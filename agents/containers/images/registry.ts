import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ImageReference } from "../../../schemas/hosting/image-reference.ts";
import { sizeText } from "../../../system/size-text.ts";
import { MANIFEST_BYTES_MAX, STALL_MS_MAX } from "./limits.ts";
import { MANIFEST_TYPES } from "./manifest.ts";
import { PullError } from "./pull-error.ts";
import type { Credentials, Endpoint } from "./registries.ts";
import { send } from "./requests.ts";

const TOKEN_BYTES_MAX = 64 * 1024;
const REASON_BYTES_MAX = 16 * 1024;
const REASON_CHARS_MAX = 200;
const Token = Type.Object({
  token: Type.Optional(Type.String()),
  access_token: Type.Optional(Type.String()),
});
const Refusal = Type.Object({ errors: Type.Array(Type.Object({ message: Type.String() }), { minItems: 1 }) });

export const sha256 = (bytes: Uint8Array): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** One repository on one server, over the distribution protocol, for the time of one pull. */
export class RepositoryClient {
  #authorization: string | null = null;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly reference: ImageReference,
    private readonly signal: AbortSignal,
  ) {}

  get host(): string {
    return this.endpoint.url.host;
  }

  /**
   * A manifest by its tag or digest, as it was signed off: with a digest it is that one, or none.
   *
   * @throws PullError
   */
  async manifest(tagOrDigest: string): Promise<{ digest: string; bytes: Uint8Array }> {
    const response = await this.#get(`manifests/${tagOrDigest}`, { accept: MANIFEST_TYPES.join(", ") });
    await this.#assertStatus(response, 200);
    const bytes = await readBody(response, MANIFEST_BYTES_MAX, "a manifest");
    const digest = sha256(bytes);
    if (tagOrDigest.includes(":") && tagOrDigest !== digest)
      throw new PullError(`${this.host} has another manifest under the digest ${tagOrDigest}`);
    return { digest, bytes };
  }

  /** A small blob, as a whole. @throws PullError */
  async config(digest: string, bytesMax: number): Promise<Uint8Array> {
    const response = await this.#get(`blobs/${digest}`, {});
    await this.#assertStatus(response, 200);
    const bytes = await readBody(response, bytesMax, "a config");
    if (sha256(bytes) !== digest)
      throw new PullError(`${this.host} has another blob under the digest ${digest}`);
    return bytes;
  }

  /**
   * A blob from a byte on, or from its beginning where the server knows no ranges.
   *
   * @throws PullError
   */
  async blob(digest: string, from: number): Promise<{ from: number; body: ReadableStream<Uint8Array> }> {
    const response = await this.#get(`blobs/${digest}`, from === 0 ? {} : { range: `bytes=${from}-` });
    const range = response.headers.get("content-range") ?? "";
    const goesOn = response.status === 206 && range.startsWith(`bytes ${from}-`);
    if (!goesOn) await this.#assertStatus(response, 200);
    if (response.body === null) throw new PullError(`${this.host} sends nothing for ${digest}`);
    return { from: goesOn ? from : 0, body: response.body };
  }

  /** Asks, and asks again with a credential where the server says that it wants one; tokens end after minutes. */
  async #get(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
    const base = this.endpoint.url.href.replace(/\/$/, "");
    const url = new URL(`${base}/v2/${this.reference.repository}/${path}`);
    const ask = () =>
      send({
        url,
        isTrusted: this.endpoint.isTrusted,
        headers,
        authorization: this.#authorization,
        signal: this.signal,
      });
    const response = await ask();
    const challenge = response.headers.get("www-authenticate");
    if (response.status !== 401 || challenge === null) return response;
    await response.body?.cancel();
    this.#authorization = await this.#authorize(challenge);
    return ask();
  }

  async #authorize(challenge: string): Promise<string | null> {
    const { credentials } = this.endpoint;
    const { scheme, parameters } = parseChallenge(challenge);
    if (scheme === "basic") return credentials && basic(credentials);
    const { realm = "", service, scope } = parameters;
    if (scheme !== "bearer" || !URL.canParse(realm))
      throw new PullError(`${this.host} asks for a credential of an unknown kind`);
    const url = new URL(realm);
    if (service !== undefined) url.searchParams.set("service", service);
    url.searchParams.set("scope", scope ?? `repository:${this.reference.repository}:pull`);
    const response = await send({
      url,
      isTrusted: this.endpoint.isTrusted,
      headers: {},
      authorization: credentials && basic(credentials),
      signal: this.signal,
    });
    await this.#assertStatus(response, 200);
    const text = new TextDecoder().decode(await readBody(response, TOKEN_BYTES_MAX, "a token"));
    const token = readJson(text);
    const value = Value.Check(Token, token) ? (token.token ?? token.access_token) : undefined;
    if (!value || /[^\x21-\x7e]/.test(value)) throw new PullError(`${url.host} gives no token`);
    return `Bearer ${value}`;
  }

  /** @throws PullError that says what another status means */
  async #assertStatus(response: Response, expected: number): Promise<void> {
    if (response.status === expected) return;
    const reason = await reasonOf(response);
    const what = `${this.reference.repository}${this.reference.tag === null ? "" : `:${this.reference.tag}`}`;
    const said: Readonly<Record<number, string>> = {
      401: this.endpoint.credentials
        ? `${this.host} refuses the ${this.endpoint.owner}'s credentials for ${what}`
        : `${this.host} asks for credentials for ${what}: it is private, or there is no such image`,
      403: `${this.host} refuses access to ${what}`,
      404: `${this.host} has no ${what}`,
    };
    throw new PullError(
      `${said[response.status] ?? `${this.host} answers ${response.status}`}${reason && ` (${reason})`}`,
    );
  }
}

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** `Bearer realm="…",service="…"`: values stand in quotes or are words. */
function parseChallenge(text: string): { scheme: string; parameters: Record<string, string> } {
  const [, scheme = "", rest = ""] = /^\s*([A-Za-z]+)\s*([\s\S]*)$/.exec(text) ?? [];
  const parameters: Record<string, string> = {};
  for (const [, name = "", quoted, word] of rest.matchAll(/([A-Za-z_]+)=(?:"([^"]*)"|([^",\s]+))/g))
    parameters[name.toLowerCase()] = quoted ?? word ?? "";
  return { scheme: scheme.toLowerCase(), parameters };
}

/** What the server says of itself, as one line of printable text. */
async function reasonOf(response: Response): Promise<string> {
  const bytes = await readBody(response, REASON_BYTES_MAX, "an error").catch(() => new Uint8Array());
  const said = readJson(new TextDecoder().decode(bytes));
  const [first] = Value.Check(Refusal, said) ? said.errors : [];
  return (first?.message ?? "").replace(/[^\x20-\x7e]+/g, " ").slice(0, REASON_CHARS_MAX);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readBody(response: Response, bytesMax: number, what: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body === null ? [] : piecesOf(response.body)) {
    length += piece.length;
    if (length > bytesMax)
      throw new PullError(`its registry sends ${what} of more than ${sizeText(bytesMax)}`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** What a server sends, as long as it sends something. @throws PullError when it pauses for too long */
export async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const stalled = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => stalled.reject(new PullError("its registry has stopped sending")),
        STALL_MS_MAX,
      );
      const { value, done } = await Promise.race([reader.read(), stalled.promise]).finally(() =>
        clearTimeout(timer),
      );
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

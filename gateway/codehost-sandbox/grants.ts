import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** What the sandboxed code host hands out: signed texts, so that every gateway takes what another one gave. */

/** The name of a person at the sandbox. Whoever names it is that person. */
export const Login = Type.String({ pattern: "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?$" });

const Code = Type.Object({ login: Login, redirect_uri: Type.String(), code_challenge: Type.String() });
const Token = Type.Object({ login: Login });
const KINDS = { code: Code, token: Token };
type Kind = keyof typeof KINDS;
type Grant<K extends Kind> = Static<(typeof KINDS)[K]>;

/** As long as a browser's redirect and two requests of the gateway take, with room for a slow machine. */
const LIFETIME_MS = 60_000;

export class SandboxGrants {
  /** @param now milliseconds since the epoch; for tests */
  constructor(
    private readonly secret: string,
    private readonly now: () => number = Date.now,
  ) {}

  issue<K extends Kind>(kind: K, grant: Grant<K>): string {
    const expires = this.now() + LIFETIME_MS;
    const payload = Buffer.from(JSON.stringify({ kind, grant, expires })).toString("base64url");
    return `${payload}.${this.#signatureOf(payload)}`;
  }

  /** The grant in a text that `issue` made, while it is valid. */
  read<K extends Kind>(kind: K, text: string): Grant<K> | undefined {
    const [payload = "", signature = ""] = text.split(".");
    if (!isEqual(signature, this.#signatureOf(payload))) return undefined;
    const Issued = Type.Object({
      kind: Type.Literal(kind),
      grant: KINDS[kind] as TSchema,
      expires: Type.Number(),
    });
    const issued: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    if (!Value.Check(Issued, issued) || issued.expires < this.now()) return undefined;
    return issued.grant as Grant<K>;
  }

  #signatureOf(payload: string): string {
    return createHmac("sha256", this.secret).update(payload).digest("base64url");
  }
}

/** The number of a person at the sandbox: the same name is the same person, in any case of letters. */
export const userNumber = (login: string): number =>
  createHash("sha256").update(login.toLowerCase()).digest().readUIntBE(0, NUMBER_BYTES) + 1;
/** The largest integer that JSON carries exactly has seven bytes, of which the first is not full. */
const NUMBER_BYTES = 6;

/** The challenge of a verifier (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

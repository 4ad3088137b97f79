import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** How long a browser may go on without showing a credential again. Whether its user still has access is asked on every request. */
export const SESSION_SECONDS = 12 * 60 * 60;
/** After a credential that ends by itself: an administrator's who acts as a user, an API token's, a realm's. */
export const BRIEF_SESSION_SECONDS = 15 * 60;
/** `__Host-`: no other name, such as a sibling's under the same domain, can set or shadow it. */
export const SESSION_COOKIE = "__Host-berth_session";

const SECRET_BYTES = 32;
const ID = /^[0-9a-f]{24}$/;
const FORM = /^([0-9a-f]{24})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;

/** The edge's own sessions: a user at one host name, signed with a secret of this host. Never a token of the control plane. */
export class EdgeSessions {
  constructor(
    private readonly secret: Buffer,
    private readonly now: () => number = Date.now,
  ) {}

  /** With the secret of a file, which is made when it is not there. */
  static open(file: string): EdgeSessions {
    return new EdgeSessions(readSecret(file));
  }

  /** A cookie's value. @param place what the session is good for: host name and container */
  issue(userId: string, place: string, seconds = SESSION_SECONDS): string {
    if (!ID.test(userId)) throw new Error("a session is somebody's");
    const expires = Math.floor(this.now() / 1_000) + seconds;
    return `${userId}.${expires}.${this.#sign(userId, expires, place)}`;
  }

  /** Whose session this is; undefined when it is none for this place, or over. */
  read(value: string, place: string): string | undefined {
    const [, userId, expires, signature] = FORM.exec(value) ?? [];
    if (userId === undefined || expires === undefined || signature === undefined) return undefined;
    const wanted = this.#sign(userId, Number(expires), place);
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(wanted))) return undefined;
    return Number(expires) * 1_000 > this.now() ? userId : undefined;
  }

  #sign(userId: string, expires: number, place: string): string {
    return createHmac("sha256", this.secret)
      .update(`edge-session\n${userId}\n${expires}\n${place}`)
      .digest("base64url");
  }
}

function readSecret(file: string): Buffer {
  try {
    const secret = readFileSync(file);
    if (secret.length === SECRET_BYTES) return secret;
  } catch {
    // The first start.
  }
  const secret = randomBytes(SECRET_BYTES);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}

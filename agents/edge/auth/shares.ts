import type { RequestHead } from "../../http1/head.ts";
import type { EdgeSessions, Principal } from "./sessions.ts";

export const SHARE_PARAMETER = "share_token";
/**
 * The time in which a link can be opened. An opened connection lasts as long as the session of the user who shared
 * it.
 */
const SHARE_SECONDS = 60 * 60;

/** The end of the token's validity in seconds, in its canonical form, and the signed cookie value. */
const FORM = /^([1-9]\d{9,11})\.(.{1,1100})$/;

/** A token to pass on to others: it opens one path, only for reading. */
export interface Share {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * Tokens for one path of one host name, by which a user with access shares it with others (decision 43). A token acts
 * for the user who made it, and ends with that user's session or access.
 */
export class Shares {
  constructor(
    private readonly sessions: Pick<EdgeSessions, "issue" | "read">,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param place host name and container @param path decoded */
  issue(principal: Principal, place: string, path: string): Share {
    const nowSeconds = Math.floor(this.now() / 1_000);
    const until = Math.min(nowSeconds + SHARE_SECONDS, Math.floor(principal.expiresAtMs / 1_000));
    const token = `${until}.${this.sessions.issue({ ...principal, framedBy: null }, sharedPlace(place, path, until))}`;
    return { token, expiresInSeconds: Math.max(0, until - nowSeconds) };
  }

  /** The user who shared the requested path; undefined if the token is for another path, or has expired. */
  read(token: string, place: string, { method, path, headers }: RequestHead): Principal | undefined {
    const [, until, signed] = FORM.exec(token) ?? [];
    if (until === undefined || signed === undefined || method !== "GET") return undefined;
    if (headers.get("upgrade") !== undefined || Number(until) * 1_000 <= this.now()) return undefined;
    return this.sessions.read(signed, sharedPlace(place, decoded(path), Number(until)));
  }
}

/** The signed place. It differs from every place of a session cookie, so that neither can be used as the other. */
const sharedPlace = (place: string, path: string, until: number): string =>
  `${place}\nshare ${until}\n${path}`;

/** The decoded path, since clients escape a path in different ways. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

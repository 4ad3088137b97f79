import type { RequestHead } from "../../http1/head.ts";
import type { EdgeSessions, Principal } from "./sessions.ts";

export const SHARE_PARAMETER = "share_token";
/** Time to send a link and to open it. What was opened goes on as long as the session of whoever shared it. */
const SHARE_SECONDS = 60 * 60;

/** A number has one spelling. */
const FORM = /^([1-9]\d{9,11})\.(.{1,1100})$/;

/** What is handed on to others: it opens one path, and only to read. */
export interface Share {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * Tokens for one path of one host name, which somebody who may enter hands to somebody who may not (decision 43). Each acts for the one who
 * made it, and is over with that session or that access.
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
    const token = `${until}.${this.sessions.issue(principal, sharedPlace(place, path, until))}`;
    return { token, expiresInSeconds: Math.max(0, until - nowSeconds) };
  }

  /** Who shared the path that is asked for; undefined when the token is not for it, or is over. */
  read(token: string, place: string, { method, path, headers }: RequestHead): Principal | undefined {
    const [, until, signed] = FORM.exec(token) ?? [];
    if (until === undefined || signed === undefined || method !== "GET") return undefined;
    if (headers.get("upgrade") !== undefined || Number(until) * 1_000 <= this.now()) return undefined;
    return this.sessions.read(signed, sharedPlace(place, decoded(path), Number(until)));
  }
}

/** No place of a session's cookie looks like it, so neither is good for the other. */
const sharedPlace = (place: string, path: string, until: number): string =>
  `${place}\nshare ${until}\n${path}`;

/** Clients escape one path in different ways. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { Id } from "../../../schemas/primitives.ts";
import type { SessionRef } from "./ended-sessions.ts";

/** `__Host-`: no other name, such as a sibling's under the same domain, can set or shadow it. */
export const SESSION_COOKIE = "__Host-berth_session";
/** The same for a frame of the console. Browsers keep it for frames of that one site, and send it nowhere else. */
export const FRAME_COOKIE = "__Host-berth_frame";

const SECRET_BYTES = 32;
const FORM = /^([A-Za-z0-9_-]{1,1000})\.([A-Za-z0-9_-]{43})$/;

const Claims = TypeCompiler.Compile(
  Type.Object({
    sub: Id,
    sid: Id,
    ses: Id,
    iat: Type.Integer(),
    exp: Type.Integer(),
    frm: Type.Optional(Type.String()),
  }),
);

/**
 * An admitted user, with the session of the control plane and an end. Every connection at an edge belongs to a
 * principal, and is closed when that session ends.
 */
export interface Principal extends SessionRef {
  readonly userId: string;
  readonly expiresAtMs: number;
  /** The origin of the console whose frame the session is for; null for one in a tab of its own, or of a program. */
  readonly framedBy: string | null;
}

/** The edge's own cookies: a principal at one host name, signed with a secret of this host. Never a token of the control plane. */
export class EdgeSessions {
  constructor(
    private readonly secret: Buffer,
    private readonly now: () => number = Date.now,
  ) {}

  /** Opens the sessions with the secret in a file, which is created if it is missing. */
  static open(file: string): EdgeSessions {
    return new EdgeSessions(readSecret(file));
  }

  /** Makes a cookie's value, valid for as long as the principal. @param place host name and container */
  issue(
    { userId, sessionId, sessionUserId, issuedAtMs, expiresAtMs, framedBy }: Principal,
    place: string,
  ): string {
    const seconds = (ms: number) => Math.floor(ms / 1_000);
    const claims = {
      sub: userId,
      sid: sessionId,
      ses: sessionUserId,
      iat: seconds(issuedAtMs),
      exp: seconds(expiresAtMs),
      ...(framedBy === null ? {} : { frm: framedBy }),
    };
    const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
    return `${text}.${this.#sign(text, place)}`;
  }

  /** The principal of a cookie; undefined when the cookie is not valid for this place, or has expired. */
  read(value: string, place: string): Principal | undefined {
    const [, text, signature] = FORM.exec(value) ?? [];
    if (text === undefined || signature === undefined) return undefined;
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(text, place)))) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    if (!Claims.Check(claims) || claims.exp * 1_000 <= this.now()) return undefined;
    return {
      userId: claims.sub,
      sessionId: claims.sid,
      sessionUserId: claims.ses,
      issuedAtMs: claims.iat * 1_000,
      expiresAtMs: claims.exp * 1_000,
      framedBy: claims.frm ?? null,
    };
  }

  #sign(text: string, place: string): string {
    return createHmac("sha256", this.secret).update(`edge-session\n${text}\n${place}`).digest("base64url");
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

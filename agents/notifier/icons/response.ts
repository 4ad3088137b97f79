import { matchesTag } from "../../../system/entity-tag.ts";
import { hardened } from "../http/refusal.ts";
import type { ImageType } from "./image.ts";

/** An icon in the history. */
export interface StoredIcon {
  readonly type: ImageType;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Quoted. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** An id's bytes never change. They are private to one desktop, so shared caches must not store them. */
const CACHE = "private, max-age=86400, immutable";
/** An SVG is a document: opened by itself, it must not run scripts or fetch anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * The response with an icon, or 304 if the client has it already (RFC 9110 §13). The server omits the body for HEAD.
 */
export function iconResponse(request: Request, icon: StoredIcon): Response {
  const headers = hardened({
    "cache-control": CACHE,
    etag: icon.etag,
    "last-modified": new Date(icon.createdAt).toUTCString(),
    "content-security-policy": POLICY,
  });
  if (isCurrent(request, icon)) return new Response(null, { status: 304, headers });
  return new Response(icon.bytes, {
    headers: {
      ...headers,
      "content-type": icon.type,
      "content-disposition": "inline",
    },
  });
}

/**
 * Whether the client's copy is current. If both conditions are given, the entity tag decides and the date is ignored.
 */
function isCurrent({ headers }: Request, { etag, createdAt }: StoredIcon): boolean {
  const byTag = matchesTag(headers, etag);
  if (byTag !== null) return byTag;
  const date = httpDate(headers.get("if-modified-since"));
  return date !== null && Math.floor(createdAt / 1_000) * 1_000 <= date;
}

/** The three forms that RFC 9110 §5.6.7 has: of today, of RFC 850 and of C's asctime. */
const FORMS = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** Milliseconds since 1970; null for an invalid date, which is ignored. */
function httpDate(text: string | null): number | null {
  if (text === null || !FORMS.some((form) => form.test(text))) return null;
  const time = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : time;
}

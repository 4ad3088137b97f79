import { matchesTag } from "../../../system/entity-tag.ts";
import { hardened } from "../http/refusal.ts";
import type { ImageType } from "./image.ts";

/** An icon as it is kept. */
export interface StoredIcon {
  readonly type: ImageType;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Quoted. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** An id means the same bytes forever; they are still of one desktop, and of nobody else's cache. */
const CACHE = "private, max-age=86400, immutable";
/** An SVG is a document: opened by itself it may run nothing and fetch nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** An icon, or 304 for who has it already (RFC 9110 §13). HEAD's body is left out by who answers it. */
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

/** Whether the client's copy is the icon. Where both are given, the tag decides and the date is not looked at. */
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

/** Milliseconds since 1970; null for what is no date, which is then not looked at. */
function httpDate(text: string | null): number | null {
  if (text === null || !FORMS.some((form) => form.test(text))) return null;
  const time = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : time;
}

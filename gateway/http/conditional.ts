import { matchesTag } from "../../system/entity-tag.ts";

export interface Representation {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** Without quotes. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly cacheControl: string;
}

/** A representation, or 304 for a client that has it already (RFC 9110 §13). */
export function conditional(
  request: Request,
  { body, contentType, etag, lastModified, cacheControl }: Representation,
): Response {
  const validators = { etag: `"${etag}"`, "last-modified": lastModified.toUTCString() };
  const headers = { ...validators, "cache-control": cacheControl };
  if (isCurrent(request.headers, validators)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": contentType } });
}

/**
 * Where both conditions are given the tag decides. A date counts only if it is the very date that was sent: an older
 * representation may take a newer one's place.
 */
function isCurrent(headers: Headers, validators: { etag: string; "last-modified": string }): boolean {
  return (
    matchesTag(headers, validators.etag) ?? headers.get("if-modified-since") === validators["last-modified"]
  );
}

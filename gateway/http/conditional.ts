import { matchesTag } from "../../system/entity-tag.ts";

export interface Representation {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** Without quotes. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly cacheControl: string;
}

/** The response with a representation, or 304 if the client has it already (RFC 9110 §13). */
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
 * If both conditions are given, the entity tag decides. A date must be equal and not merely later, since an older
 * representation may replace a newer one.
 */
function isCurrent(headers: Headers, validators: { etag: string; "last-modified": string }): boolean {
  return (
    matchesTag(headers, validators.etag) ?? headers.get("if-modified-since") === validators["last-modified"]
  );
}

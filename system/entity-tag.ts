/**
 * Whether the tag of a representation is among those of an `If-None-Match` header (RFC 9110 §13.1.2), by the weak
 * comparison; null if there is no such header, so that a date may be compared instead.
 *
 * @param etag the representation's own, with its quotes
 */
export function matchesTag(headers: Headers, etag: string): boolean | null {
  const tags = headers.get("if-none-match");
  if (tags === null) return null;
  if (tags.trim() === "*") return true;
  return (tags.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, "") === etag);
}

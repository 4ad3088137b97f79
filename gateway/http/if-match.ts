import { DomainError, ValidationError } from "../../schemas/errors.ts";

/** What an `If-Match` may list: a client has seen one version, or a few. */
const TAGS_MAX = 16;
const HEADER = "headers.if-match";

/**
 * The versions that the header `If-Match` names (RFC 9110 §13.1.1); null for `*`: any version. A weak tag matches none.
 *
 * @throws PRECONDITION_REQUIRED without the header, ValidationError
 */
export function requireIfMatch(request: Request): number[] | null {
  const header = request.headers.get("if-match")?.trim();
  if (header === undefined)
    throw new DomainError(
      "PRECONDITION_REQUIRED",
      "say in If-Match which version you have read: its ETag, or * for any",
    );
  if (header === "*") return null;
  const tags = header.split(",", TAGS_MAX + 1).map((tag) => tag.trim());
  if (tags.length > TAGS_MAX || !tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag)))
    throw new ValidationError(HEADER, `must be * or at most ${TAGS_MAX} entity tags`);
  return tags.flatMap((tag) => (/^"[0-9]{1,15}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []));
}

/** The entity tag of a version, for the header `ETag`. */
export const versionTag = (version: number): string => `"${version}"`;

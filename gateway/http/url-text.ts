import { ValidationError } from "../../schemas/errors.ts";
import { isStorableText } from "./storable-values.ts";

/**
 * Refuses a URL whose percent-encoding is broken, is not UTF-8, or encodes NUL: Bun would pass the path on with
 * U+FFFD in it and Elysia the query undecoded, so two different URLs could name one resource. Throws a
 * ValidationError that names `path` or the query's key.
 */
export function assertStorableUrl(url: string): void {
  if (!url.includes("%")) return;
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  if (!isDecodable(path)) throw new ValidationError("path", "must be UTF-8, percent-encoded, without NUL");
  if (queryAt === -1) return;
  for (const pair of url.slice(queryAt + 1).split("&")) {
    if (isDecodable(pair)) continue;
    const key = pair.split("=", 1)[0] ?? "";
    const field = isDecodable(key) ? `query.${decodeURIComponent(key)}` : "query";
    throw new ValidationError(field, "must be UTF-8, percent-encoded, without NUL");
  }
}

function isDecodable(text: string): boolean {
  try {
    return isStorableText(decodeURIComponent(text));
  } catch {
    return false;
  }
}

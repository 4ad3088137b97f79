import { ValidationError } from "../../../schemas/errors.ts";
import { TARGET_PATH_MAX } from "../../../schemas/hosting/alias.ts";

const FIELD = "body.target_path";
/** The characters of a path (RFC 3986), which can be put into a request line as they are: no space, `?`, `#` or `\`. */
const PATH = /^(?:[A-Za-z0-9/._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*$/;

/**
 * The stored form of a target path: with a leading `/`.
 *
 * @throws ValidationError when it is more than a path, or contains `..`, even percent-encoded
 */
export function targetPathOf(text: string): string {
  const path = text.startsWith("/") ? text : `/${text}`;
  if (path.length > TARGET_PATH_MAX)
    throw new ValidationError(FIELD, `must be at most ${TARGET_PATH_MAX} characters, with its leading /`);
  if (!PATH.test(path)) {
    throw new ValidationError(
      FIELD,
      "must be a path alone: no query, fragment, spaces or control characters; other letters percent-encoded",
    );
  }
  // A server behind the edge may decode the path before it interprets the segments.
  const read = decoded(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(read)) {
    throw new ValidationError(FIELD, "must not hold control characters or backslashes, encoded or not");
  }
  if (read.split("/").some((segment) => segment === "." || segment === "..")) {
    throw new ValidationError(FIELD, "must not have . or .. as a segment");
  }
  if (read.startsWith("//")) throw new ValidationError(FIELD, "must not begin with //");
  return path;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ValidationError(FIELD, "must be UTF-8 where it is percent-encoded");
  }
}

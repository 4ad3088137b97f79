import { ValidationError } from "../../../schemas/errors.ts";
import { TARGET_PATH_MAX } from "../../../schemas/hosting/alias.ts";

const FIELD = "body.target_path";
/** What RFC 3986 lets stand in a path, so that it goes into a request line as it is: no space, no `?`, no `#`, no `\`. */
const PATH = /^(?:[A-Za-z0-9/._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*$/;

/**
 * A target path in the form in which it is kept: with a leading `/`.
 *
 * @throws ValidationError when it has more in it than a path, or leads out of itself, also where that is percent-encoded
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
  // A proxy or server behind it may decode before it looks at the segments.
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

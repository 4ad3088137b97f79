import { invalidField } from "../terminal/server/error-page.ts";

/** The parameters of a request, each at most once. */
export type FileQuery = ReadonlyMap<string, string>;

/** The parameters, or the refusal of one that is unknown, doubled or no UTF-8. @param known their names */
export function readQuery(request: Request, known: readonly string[]): FileQuery | Response {
  const found = new Map<string, string>();
  for (const part of new URL(request.url).search.slice(1).split("&")) {
    if (part === "") continue;
    const [written, ...rest] = part.split("=");
    const [name, value] = [decoded(written ?? ""), decoded(rest.join("="))];
    if (name === undefined || !known.includes(name)) {
      const words =
        known.length === 1 ? `the parameter here is ${known[0]}` : `those here are ${known.join(", ")}`;
      return invalidField(request, `query.${name ?? written}`, `is unknown: ${words}`);
    }
    if (value === undefined) return invalidField(request, `query.${name}`, "must be UTF-8");
    if (found.has(name)) return invalidField(request, `query.${name}`, "must be there once");
    found.set(name, value);
  }
  return found;
}

/** Undefined for what is no UTF-8. URLSearchParams would put another sign for it. */
function decoded(written: string): string | undefined {
  try {
    return decodeURIComponent(written.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

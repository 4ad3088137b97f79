import { Refusal } from "../http/refusal.ts";

const STEP_UP = /^(\.|%2e){2}$/i;
const SEPARATOR = /\/|\\|%2f|%5c/i;

/**
 * The path and query that a target is asked for.
 *
 * `base` goes before the request's path. Without `override` it takes its place: visitors reach that one path and no other; their query goes
 * along.
 *
 * @param target of the request, without scheme and host
 * @param base begins with `/`; null is `/`
 * @throws Refusal 400 when the path would lead out of its base
 */
export function targetPath(target: string, base: string | null, override: boolean): string {
  if (base === null && override) return target;
  if (target === "*") return target;
  const [path, query] = split(target);
  const [basePath, baseQuery] = split(base ?? "/");
  if (override && path.split(SEPARATOR).some((segment) => STEP_UP.test(segment))) {
    throw new Refusal(400, "The path leads out of where this name leads.");
  }
  const whole = override ? basePath.replace(/\/+$/, "") + path : basePath;
  const queries = [baseQuery, query].filter((one) => one !== "").join("&");
  return queries === "" ? whole : `${whole}?${queries}`;
}

function split(target: string): [path: string, query: string] {
  const mark = target.indexOf("?");
  return mark === -1 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)];
}

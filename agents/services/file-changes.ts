import type { RunResult } from "../exec/target.ts";
import { invalidField, terminalErrorResponse } from "../terminal/server/error-page.ts";
import { isRefusal, refuseFile } from "../terminal/server/file-script.ts";
import { SECURITY_HEADERS } from "../web/security-headers.ts";
import { asPath, asText, inArgument, leadsUp, wrongName } from "./file-names.ts";
import { type FileQuery, readQuery } from "./file-query.ts";

/** What `files.sh` does to a path. */
type Change = readonly [way: "remove" | "mkdir" | "move", ...more: string[]];

/** What is wrong with a request, by the part of it. */
class Wrong {
  constructor(
    readonly field: string,
    readonly message: string,
  ) {}
}

interface ChangeOptions {
  /** Runs files.sh as the container's root. */
  readonly run: (...args: string[]) => Promise<RunResult>;
  readonly idleMs: number;
}

export const CHANGE_METHODS: ReadonlySet<string> = new Set(["DELETE", "POST"]);
/** The code of files.sh for a mount in the way, which it then says. */
const MOUNT_IN_THE_WAY = 29;

/**
 * Changes the files of a container: `DELETE /<path>`, with `?recursive=true` for a folder that is not empty;
 * `POST /<path>?action=mkdir`; `POST /<path>?action=move&to=/<new path>`. Nothing that is there is replaced, and a link itself is
 * changed, not what it leads to. A folder with a mount in it, such as a storage share, is neither deleted nor moved.
 *
 * @param path in Latin-1, as from `pathOf`
 */
export async function changeFile(
  request: Request,
  path: string,
  { run, idleMs }: ChangeOptions,
): Promise<Response> {
  const at = entryOf(path, "path");
  const query = readQuery(request, request.method === "DELETE" ? ["recursive"] : ["action", "to"]);
  if (query instanceof Response) return query;
  const change = at instanceof Wrong ? at : readChange(request.method, at, query);
  if (change instanceof Wrong) return invalidField(request, change.field, change.message);
  const [way, ...more] = change;
  const { code, boundMet, stdout } = await run(way, inArgument(String(at)), ...more);
  if (boundMet === "deadline")
    return terminalErrorResponse(
      request,
      504,
      "FILE_TIMEOUT",
      `The container needed more than ${idleMs / 1_000} s. A part may be done.`,
    );
  if (code === 0) return new Response(null, { status: 204, headers: SECURITY_HEADERS });
  if (code === MOUNT_IN_THE_WAY) return refuseMount(request, way, stdout.trimEnd());
  if (code !== null && isRefusal(code)) return refuseFile(request, code);
  return terminalErrorResponse(request, 409, "FILE_NOT_WRITABLE", "The container did not make the change.");
}

/** @param written the mount as the kernel writes it, with \ooo for spaces, line ends and backslashes */
function refuseMount(request: Request, way: string, written: string): Response {
  const bytes = written.replace(/\\([0-7]{3})/g, (_, octal) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  const mount = asText(bytes);
  const message = `A storage share, a volume or another mount is at ${mount}, so nothing was ${way === "remove" ? "deleted" : "moved"}. Unmount it first, or choose what is beside it.`;
  return terminalErrorResponse(request, 409, "FILE_IS_MOUNTED", message, {}, { field: "path", mount });
}

/** What a request asks for. */
function readChange(method: string, at: string, query: FileQuery): Change | Wrong {
  if (method === "DELETE") {
    const recursive = query.get("recursive") ?? "false";
    if (recursive !== "true" && recursive !== "false")
      return new Wrong("query.recursive", "must be true or false");
    return ["remove", recursive];
  }
  const action = query.get("action");
  if (action === "mkdir") {
    if (query.has("to")) return new Wrong("query.to", "is for action=move alone");
    const wrong = wrongName(at);
    return wrong === undefined ? ["mkdir"] : new Wrong("path", wrong);
  }
  if (action !== "move") return new Wrong("query.action", "must be mkdir or move");
  const to = asPath(query.get("to") ?? "");
  if (to === undefined) return new Wrong("query.to", "must be an absolute path");
  const target = entryOf(to, "query.to");
  if (target instanceof Wrong) return target;
  const wrong = wrongName(target);
  return wrong === undefined ? ["move", inArgument(target)] : new Wrong("query.to", wrong);
}

/** The path without slashes at its end, so that it means a link itself. The root, a folder's `.` and a path with `..` are refused. */
function entryOf(path: string, field: string): string | Wrong {
  if (leadsUp(path)) return new Wrong(field, "must have no part `..`");
  const entry = path.replace(/\/+$/, "");
  const name = entry.slice(entry.lastIndexOf("/") + 1);
  return entry.startsWith("/") && name !== "" && name !== "."
    ? entry
    : new Wrong(field, "names no file or folder that can be changed");
}

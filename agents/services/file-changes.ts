import type { RunResult } from "../exec/target.ts";
import { terminalErrorResponse } from "../terminal/server/error-page.ts";
import { isRefusal, refuseFile } from "../terminal/server/file-script.ts";
import { SECURITY_HEADERS } from "../web/security-headers.ts";
import { asPath, inArgument } from "./file-names.ts";

/** What `files.sh` does to a path. */
type Change = readonly [way: "remove" | "mkdir" | "move", ...more: string[]];

interface ChangeOptions {
  /** Runs files.sh as the container's root. */
  readonly run: (...args: string[]) => Promise<RunResult>;
  readonly idleMs: number;
}

export const CHANGE_METHODS: ReadonlySet<string> = new Set(["DELETE", "POST"]);

/**
 * Changes the files of a container: `DELETE /<path>`, with `?recursive=true` for a folder that is not empty;
 * `POST /<path>?action=mkdir`; `POST /<path>?action=move&to=/<new path>`. Nothing that is there is replaced, and a link itself is
 * changed, not what it leads to.
 *
 * @param path in Latin-1, as from `pathOf`
 */
export async function changeFile(
  request: Request,
  path: string,
  { run, idleMs }: ChangeOptions,
): Promise<Response> {
  const invalid = (message: string) => terminalErrorResponse(request, 400, "VALIDATION_ERROR", message);
  const at = entryOf(path);
  if (at === undefined) return invalid("The path names no file or folder that can be changed.");
  const change = readChange(request);
  if (typeof change === "string") return invalid(change);
  const [way, ...more] = change;
  const { code, boundMet } = await run(way, inArgument(at), ...more);
  if (boundMet === "deadline")
    return terminalErrorResponse(
      request,
      504,
      "FILE_TIMEOUT",
      `The container needed more than ${idleMs / 1_000} s. A part may be done.`,
    );
  if (code === 0) return new Response(null, { status: 204, headers: SECURITY_HEADERS });
  if (code !== null && isRefusal(code)) return refuseFile(request, code);
  return terminalErrorResponse(request, 409, "FILE_NOT_WRITABLE", "The container did not make the change.");
}

/** What a request asks for, or what is wrong with it. */
function readChange({ method, url }: Request): Change | string {
  const { searchParams: query } = new URL(url);
  if (method === "DELETE") {
    const recursive = query.get("recursive") ?? "false";
    if (recursive !== "true" && recursive !== "false") return "recursive: must be true or false";
    return ["remove", recursive];
  }
  const action = query.get("action");
  if (action === "mkdir") return ["mkdir"];
  if (action !== "move") return "action: must be mkdir or move";
  const to = asPath(query.get("to") ?? "");
  const target = to === undefined ? undefined : entryOf(to);
  return target === undefined ? "to: must be an absolute path" : ["move", inArgument(target)];
}

/** The path without slashes at its end, so that it means a link itself; undefined for the root and for a folder's `.` and `..`. */
function entryOf(path: string): string | undefined {
  const entry = path.replace(/\/+$/, "");
  const name = entry.slice(entry.lastIndexOf("/") + 1);
  return entry.startsWith("/") && name !== "" && name !== "." && name !== ".." ? entry : undefined;
}

import { join } from "node:path";
import { type ConcurrencyLimiter, Overloaded } from "../exec/concurrency-limiter.ts";
import { FILE_IDLE_MS_MAX, FileOutput } from "../exec/file-transfer.ts";
import { readShellScript } from "../exec/shell-script.ts";
import type { ExecTarget } from "../exec/target.ts";
import { invalidField } from "../terminal/server/error-page.ts";
import { upload } from "../terminal/server/upload.ts";
import { attachment } from "../web/attachment.ts";
import { SECURITY_HEADERS } from "../web/security-headers.ts";
import { CHANGE_METHODS, changeFile } from "./file-changes.ts";
import { asText, inArgument, isText, leadsUp, pathOf } from "./file-names.ts";
import { readQuery } from "./file-query.ts";
import { folderJson, folderPage } from "./files-page.ts";
import { dateOf, type Listing, ListingError, readListing } from "./listing.ts";
import { listingBody } from "./listing-body.ts";

const SCRIPT = readShellScript(join(import.meta.dir, "files.sh"));

/**
 * The time limit for reading a listing, enough for a megabyte over a slow line. It frees the permit of a listing that
 * is not read.
 */
const LISTING_READ_MS_MAX = 60_000;
/** A file may change twice within this time, so a newer date is a weak validator (RFC 9110 §8.8.2.2). */
const WEAK_DATE_MS = 1_000;

export interface FilesOptions {
  readonly target: ExecTarget;
  /** The container's id, by which concurrency is limited. */
  readonly owner: string;
  readonly listings: ConcurrencyLimiter;
  /** How long a program may write nothing. */
  readonly idleMs?: number;
  /** What stands before the paths, where the files are at the address of another service: folders are JSON there. */
  readonly prefix?: string;
}

/**
 * The files of a container: `GET /<path>`, `PUT /<folder>?name=` for a new one or, with `replace=true`, in place of one that is there, and
 * what `changeFile` does. A folder is a page, or JSON by content negotiation; a file is sent as it is, also in ranges. Programs in the
 * container read and write the files, so that no path or link can lead out of it.
 */
export function filesService(options: FilesOptions): (request: Request) => Promise<Response> {
  const { target, owner, listings, idleMs = FILE_IDLE_MS_MAX, prefix = "" } = options;
  const script = (...args: string[]) => ({ user: null, argv: ["/bin/sh", "-c", SCRIPT, "sh", ...args] });

  const folder = async (request: Request, path: string): Promise<Response> => {
    const isJson = prefix !== "" || wantsJson(request);
    const answer = (listing: Listing, ended: () => void) => {
      const { policy, pieces } = isJson
        ? { policy: null, pieces: folderJson(path, listing) }
        : folderPage(path, listing);
      const body = request.method === "HEAD" ? null : listingBody(pieces, LISTING_READ_MS_MAX, ended);
      return new Response(body, {
        headers: {
          ...SECURITY_HEADERS,
          "content-type": isJson ? "application/json;charset=utf-8" : "text/html; charset=utf-8",
          ...(policy === null ? {} : { "content-security-policy": policy }),
        },
      });
    };
    if (request.method === "HEAD") return answer({ entries: [], isCut: false }, () => undefined);
    const release = await listings.acquire(owner);
    try {
      return answer(
        await readListing(target.stream(script("list", inArgument(path)), null), idleMs),
        release,
      );
    } catch (error) {
      release();
      if (!(error instanceof ListingError)) throw error;
      return refused(error.status, `The container did not say: ${error.message}.`);
    }
  };

  const file = (request: Request, path: string, size: number, modified: Date): Response => {
    const range = readRange(rangeOf(request, modified), size);
    if (range === "unsatisfiable") {
      return new Response(null, {
        status: 416,
        headers: { ...SECURITY_HEADERS, "content-range": `bytes */${size}` },
      });
    }
    const { from, length } = range ?? { from: 0, length: size };
    const headers = {
      ...SECURITY_HEADERS,
      "accept-ranges": "bytes",
      // Bun omits it for streamed bodies; an early end is noticed in any case.
      "content-length": String(length),
      "last-modified": modified.toUTCString(),
      // A file of a container must not run as a page of this origin.
      "content-type": "application/octet-stream",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": attachment(asText(path.slice(path.lastIndexOf("/") + 1))),
      ...(range === undefined ? {} : { "content-range": `bytes ${from}-${from + length - 1}/${size}` }),
    };
    const status = range === undefined ? 200 : 206;
    if (request.method === "HEAD" || length === 0) return new Response(null, { status, headers });
    const program = target.stream(script("get", inArgument(path), String(from + 1), String(length)), null);
    const output = new FileOutput(program, idleMs);
    // If the file shrinks meanwhile, the download must not end cleanly.
    const body = output.body(length, new Uint8Array(), (bytes) => bytes === length);
    return new Response(body, { status, headers });
  };

  const run = (...args: string[]) => target.run({ ...script(...args), msMax: idleMs });

  /** A file in a folder, as the container's root. */
  const put = (request: Request, path: string): Promise<Response> | Response => {
    if (leadsUp(path)) return invalidField(request, "path", "must have no part `..`");
    // An argument is text: the name of a folder that is none cannot be said.
    if (!isText(path)) return invalidField(request, "path", "must be UTF-8 for a new file");
    const query = readQuery(request, ["name", "replace"]);
    if (query instanceof Response) return query;
    return upload(request, { target, user: null, place: asText(path), idleMs });
  };

  const answer = async (request: Request): Promise<Response> => {
    const path = pathOf(request.url)?.slice(prefix.length) || "/";
    if (pathOf(request.url) === undefined) return invalidField(request, "path", "is no path of a file");
    if (request.method === "PUT") return put(request, path);
    if (CHANGE_METHODS.has(request.method)) return changeFile(request, path, { run, idleMs });
    if (request.method !== "GET" && request.method !== "HEAD") {
      const allow = "GET, HEAD, PUT, POST, DELETE";
      return refused(405, `Files are read, written and changed by ${allow}.`, { allow });
    }
    const { code, boundMet, stdout } = await run("look", inArgument(path));
    if (boundMet === "deadline") {
      return refused(504, `The container did not say: it did not end within ${idleMs / 1_000} s.`);
    }
    if (boundMet !== null) return refused(502, "The container did not say: it wrote more than it may.");
    const [, size, seconds] = /^file (\d{1,16}) (-?\d+)\n$/.exec(stdout) ?? [];
    if (code === 0 && stdout === "folder\n") return folder(request, path);
    if (code !== 0 || size === undefined) return refused(404, "There is no such file in this container.");
    return file(request, path, Number(size), dateOf(seconds));
  };

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      if (!(error instanceof Overloaded)) throw error;
      const message =
        "Too many files or folders of this container, or of this host, are read at once. Try again soon.";
      return refused(503, message, { "retry-after": String(error.retryAfterSeconds) });
    }
  };
}

const refused = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
  new Response(`${text}\n`, { status, headers: { ...SECURITY_HEADERS, ...headers } });

const wantsJson = (request: Request) => (request.headers.get("accept") ?? "").includes("application/json");

/** A range applies to the version of the file that the client has; after a change the client gets the whole file (RFC 9110 §13.1.5). */
function rangeOf({ method, headers }: Request, modified: Date): string | null {
  const known = headers.get("if-range");
  const isKnown = known === modified.toUTCString() && Date.now() - modified.getTime() > WEAK_DATE_MS;
  return method === "GET" && (known === null || isKnown) ? headers.get("range") : null;
}

/** One range of a file. Undefined: the whole file, even for a request of several ranges. */
export function readRange(
  header: string | null,
  size: number,
): { from: number; length: number } | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size - 1 : Math.min(size - 1, Number(last));
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  return from >= size || to < from ? "unsatisfiable" : { from, length: to - from + 1 };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeBound } from "../exec/short-run.ts";
import type { ExecTarget, RunResult } from "../exec/target.ts";
import { attachment } from "../web/attachment.ts";
import { SECURITY_HEADERS } from "../web/security-headers.ts";
import { asText, inAddress, inArgument, pathOf } from "./file-names.ts";
import { type Entry, folderPage, sortEntries } from "./files-page.ts";

const SCRIPT = readFileSync(join(import.meta.dir, "files.sh"), "utf8");

/** More than anybody reads in a list. */
const ENTRIES_MAX = 5_000;
/** A name has 255 bytes at most, what is said of it 64; base64 makes a third more of it. */
const LISTING_BYTES_MAX = 3 * 1024 * 1024;
/** A disk that brings nothing for so long is gone, or the file is one that waits for something to happen. */
const READ_MS_MAX = 30_000;
/** ECMAScript's time ends there. */
const DATE_MS_MAX = 8.64e15;
/** Within it a file may have changed twice (RFC 9110 §8.8.2.2). */
const WEAK_DATE_MS = 1_000;

/**
 * The files of a container, to look at and to download: `GET /<path>`. A folder is a page, or JSON to those who accept that; a file comes as
 * itself, also in parts. Programs inside of the container read them, so that no path and no link leads out of it.
 */
export function filesService(target: ExecTarget): (request: Request) => Promise<Response> {
  const run = (...args: string[]) =>
    target.run({
      user: null,
      argv: ["/bin/sh", "-c", SCRIPT, "sh", ...args],
      stdoutBytesMax: LISTING_BYTES_MAX,
    });

  const folder = async (request: Request, path: string): Promise<Response> => {
    const listed = await run("list", inArgument(path), String(ENTRIES_MAX + 1));
    if (listed.boundMet !== null) return unanswered(listed);
    const { stdout } = listed;
    const found = parse(Buffer.from(stdout, "base64"));
    const truncated = found.length > ENTRIES_MAX;
    const entries = sortEntries(found.slice(0, ENTRIES_MAX));
    if (wantsJson(request)) {
      return Response.json({ path: asText(path), entries, truncated }, { headers: SECURITY_HEADERS });
    }
    const { html, policy } = folderPage(path, entries, truncated);
    return new Response(html, {
      headers: {
        ...SECURITY_HEADERS,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
      },
    });
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
      // Bun leaves it out where a body is streamed; an end that is too early is seen all the same.
      "content-length": String(length),
      "last-modified": modified.toUTCString(),
      // What a container holds must not run as a page of this address.
      "content-type": "application/octet-stream",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": attachment(asText(path.slice(path.lastIndexOf("/") + 1))),
      ...(range === undefined ? {} : { "content-range": `bytes ${from}-${from + length - 1}/${size}` }),
    };
    const status = range === undefined ? 200 : 206;
    if (request.method === "HEAD" || length === 0) return new Response(null, { status, headers });
    const argv = ["/bin/sh", "-c", SCRIPT, "sh", "get", inArgument(path), String(from + 1), String(length)];
    return new Response(exactly(length, target.stream({ user: null, argv }, null)), { status, headers });
  };

  return async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("Files can be read here, and no more.\n", {
        status: 405,
        headers: { allow: "GET, HEAD" },
      });
    }
    const path = pathOf(request.url);
    if (path === undefined) return absent(400, "This is no path of a file.");
    const looked = await run("look", inArgument(path));
    if (looked.boundMet !== null) return unanswered(looked);
    const { code, stdout } = looked;
    const [, size, seconds] = /^file (\d+) (-?\d+)\n$/.exec(stdout) ?? [];
    if (code === 0 && stdout === "folder\n") return folder(request, path);
    if (code !== 0 || size === undefined) return absent(404, "There is no such file in this container.");
    return file(request, path, Number(size), dateOf(seconds));
  };
}

/** Its programs are the container's own, and may do as they like. */
const unanswered = (result: RunResult) => absent(504, `The container did not say: ${describeBound(result)}.`);

const absent = (status: number, text: string) =>
  new Response(`${text}\n`, { status, headers: SECURITY_HEADERS });

const wantsJson = (request: Request) => (request.headers.get("accept") ?? "").includes("application/json");

function parse(listing: Buffer): Entry[] {
  return listing
    .toString("latin1")
    .split("\0")
    .flatMap((record) => {
      const [, kind, target, size, seconds, name] =
        /^(.)\t(.)\t(\d+)\t(-?\d+)(?:\.\d+)?\t(.+)$/s.exec(record) ?? [];
      if (name === undefined) return [];
      const type = target === "d" ? "folder" : target === "f" ? "file" : "other";
      const modified = dateOf(seconds).toISOString();
      const entry = { name: asText(name), address: inAddress(name), type, link: kind === "l" } as const;
      return [{ ...entry, size: Number(size), modified }];
    });
}

/** A file may be of any time, and a date not. */
function dateOf(seconds: string | undefined): Date {
  const ms = Number(seconds) * 1_000;
  return new Date(Math.max(-DATE_MS_MAX, Math.min(DATE_MS_MAX, ms)));
}

/** A range applies to the version of the file that the client has; after a change the client gets the whole file (RFC 9110 §13.1.5). */
function rangeOf({ method, headers }: Request, modified: Date): string | null {
  const known = headers.get("if-range");
  const isKnown = known === modified.toUTCString() && Date.now() - modified.getTime() > WEAK_DATE_MS;
  return method === "GET" && (known === null || isKnown) ? headers.get("range") : null;
}

/** One part of a file. Undefined: all of it, also when several parts are asked for. */
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

/** What a program writes, which has to be just so long: a file that shrinks meanwhile is no clean end. */
function exactly(
  length: number,
  { stdout, kill }: ReturnType<ExecTarget["stream"]>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stdout.getReader();
  const stop = () => {
    kill();
    reader.cancel().catch(() => undefined);
  };
  let missing = length;
  return new ReadableStream({
    async pull(controller) {
      const timer = setTimeout(stop, READ_MS_MAX);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (done || value.length > missing) {
        stop();
        controller.error(new Error("the file broke off"));
        return;
      }
      missing -= value.length;
      controller.enqueue(value);
      if (missing > 0) return;
      stop();
      controller.close();
    },
    cancel: stop,
  });
}

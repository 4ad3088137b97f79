import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Machine } from "../terminal/process/machine.ts";
import { type Entry, folderPage, sortEntries } from "./files-page.ts";

const SCRIPT = readFileSync(join(import.meta.dir, "files.sh"), "utf8");

const PATH_BYTES_MAX = 4095;
/** More than anybody reads in a list. */
const ENTRIES_MAX = 5_000;

const HARDENING = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/**
 * The files of a container, to look at and to download: `GET /<path>`. A folder is a page, or JSON to those who accept that; a file comes as
 * itself, also in parts. Programs inside of the container read them, so that no path and no link leads out of it.
 */
export function filesService(machine: Machine): (request: Request) => Promise<Response> {
  const run = (...args: string[]) =>
    machine.run({ user: null, argv: ["/bin/sh", "-c", SCRIPT, "sh", ...args] });

  const folder = async (request: Request, path: string): Promise<Response> => {
    const { stdout } = await run("list", path, String(ENTRIES_MAX));
    const entries = sortEntries(parse(stdout));
    if (wantsJson(request)) return Response.json({ path, entries }, { headers: HARDENING });
    const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
    return new Response(folderPage(path, entries, entries.length === ENTRIES_MAX), {
      headers: {
        ...HARDENING,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
      },
    });
  };

  const file = (request: Request, path: string, size: number, modified: Date): Response => {
    const range = readRange(request.headers.get("range"), size);
    if (range === "unsatisfiable") {
      return new Response(null, {
        status: 416,
        headers: { ...HARDENING, "content-range": `bytes */${size}` },
      });
    }
    const { from, length } = range ?? { from: 0, length: size };
    const headers = {
      ...HARDENING,
      "accept-ranges": "bytes",
      // Bun leaves it out where a body is streamed; an end that is too early is seen all the same.
      "content-length": String(length),
      "last-modified": modified.toUTCString(),
      // What a container holds must not run as a page of this address.
      "content-type": "application/octet-stream",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": `attachment; filename*=UTF-8''${encodeName(basename(path))}`,
      ...(range === undefined ? {} : { "content-range": `bytes ${from}-${from + length - 1}/${size}` }),
    };
    const status = range === undefined ? 200 : 206;
    if (request.method === "HEAD" || length === 0) return new Response(null, { status, headers });
    const argv = ["/bin/sh", "-c", SCRIPT, "sh", "get", path, String(from + 1), String(length)];
    return new Response(exactly(length, machine.stream({ user: null, argv }, null)), { status, headers });
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
    const { code, stdout } = await run("look", path);
    const [, size, seconds] = /^file (\d+) (\d+)\n$/.exec(stdout) ?? [];
    if (code === 0 && stdout === "folder\n") return folder(request, path);
    if (code !== 0 || size === undefined) return absent(404, "There is no such file in this container.");
    return file(request, path, Number(size), new Date(Number(seconds) * 1_000));
  };
}

const absent = (status: number, text: string) => new Response(`${text}\n`, { status, headers: HARDENING });

const wantsJson = (request: Request) => (request.headers.get("accept") ?? "").includes("application/json");

function pathOf(url: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    return path.includes("\0") || Buffer.byteLength(path) > PATH_BYTES_MAX ? undefined : path;
  } catch {
    return undefined;
  }
}

function parse(listing: string): Entry[] {
  return listing.split("\0").flatMap((record) => {
    const [, kind, target, size, seconds, name] = /^(.)\t(.)\t(\d+)\t(-?\d+)\t(.+)$/s.exec(record) ?? [];
    if (name === undefined) return [];
    const type = target === "d" ? "folder" : target === "f" ? "file" : "other";
    const modified = new Date(Number(seconds) * 1_000).toISOString();
    return [{ name, type, link: kind === "l", size: Number(size), modified } as const];
  });
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
  { stdout, kill }: ReturnType<Machine["stream"]>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stdout.getReader();
  let missing = length;
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) {
        if (missing === 0) controller.close();
        else controller.error(new Error("the file broke off"));
        return;
      }
      missing -= value.length;
      controller.enqueue(value);
    },
    async cancel() {
      kill();
      await reader.cancel();
    },
  });
}

const encodeName = (name: string): string =>
  encodeURIComponent(name.replace(/[\p{Cc}\p{Cs}]/gu, "_")).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

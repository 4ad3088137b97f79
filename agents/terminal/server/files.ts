import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ExecTarget } from "../../exec/target.ts";
import { attachment } from "../../web/attachment.ts";
import type { Session } from "../session/session.ts";
import { HARDENING } from "./html.ts";
import { errorResponse } from "./pages.ts";

const SCRIPT = readFileSync(join(import.meta.dir, "../process/files.sh"), "utf8");

const NAME_BYTES_MAX = 255;
const PATH_CHARS_MAX = 4096;
/** The first line of a download is the file's size. */
const FIRST_LINE_BYTES_MAX = 64;
/** Of a file that has no size, since the kernel makes it up: far above any that is text. Some of them have no end. */
const SIZELESS_BYTES_MAX = 64 << 20;
/** A disk that brings nothing for so long is gone, or the file is one that waits for something to happen. */
export const READ_MS_MAX = 30_000;
/** No code that a program ends with. */
const STOPPED = -1;

const REFUSALS: Readonly<Record<number, readonly [number, string, string]>> = {
  20: [409, "FILES_UNAVAILABLE", "Where this session's shell is cannot be told."],
  21: [409, "FILE_EXISTS", "There is a file of that name already."],
  22: [409, "FILE_NOT_WRITABLE", "The file could not be written there."],
  23: [400, "FILE_INCOMPLETE", "The file broke off, and was removed."],
  24: [404, "FILE_NOT_FOUND", "There is no such file that this session's user may read."],
};

/**
 * Files between a person's machine and the directory that a session's shell is in, as the session's user: `PUT ?name=` and
 * `GET ?path=`. Beside the terminal and not through it, so that no other viewer sees them and no program has to be installed.
 */
export async function transferFile(
  request: Request,
  session: Session,
  target: ExecTarget,
  readMsMax: number,
): Promise<Response> {
  if (session.pid === null) return refused(request, 20);
  return request.method === "PUT"
    ? upload(request, session.pid, session.user, target)
    : download(request, session.pid, session.user, target, readMsMax);
}

async function upload(
  request: Request,
  pid: number,
  user: string | null,
  target: ExecTarget,
): Promise<Response> {
  const name = new URL(request.url).searchParams.get("name") ?? "";
  const isName = name !== "" && name !== "." && name !== ".." && !/[/\p{Cc}\p{Cs}]/u.test(name);
  if (!isName || Buffer.byteLength(name) > NAME_BYTES_MAX) {
    return errorResponse(request, 400, "VALIDATION_ERROR", "name: is no name of a file");
  }
  const length = request.headers.get("content-length") ?? "";
  // A number may be written with zeros before it; the file's size is compared as text.
  const bytes = /^\d+$/.test(length) ? Number(length) : Number.NaN;
  if (!Number.isSafeInteger(bytes))
    return errorResponse(request, 411, "LENGTH_REQUIRED", "Say how long the file is.");
  const argv = ["/bin/sh", "-c", SCRIPT, "sh", String(pid), "put", name, String(bytes)];
  const child = target.stream({ user, argv }, request.body);
  const code = await child.exited;
  if (code !== 0) return refused(request, code);
  return Response.json({ name, bytes }, { status: 201, headers: HARDENING });
}

/** What could be read of a file: either all of it, or an answer that breaks off. */
async function download(
  request: Request,
  pid: number,
  user: string | null,
  target: ExecTarget,
  readMsMax: number,
): Promise<Response> {
  const path = new URL(request.url).searchParams.get("path") ?? "";
  if (path === "" || path.length > PATH_CHARS_MAX || path.includes("\0")) {
    return errorResponse(request, 400, "VALIDATION_ERROR", "path: is no path of a file");
  }
  const child = target.stream(
    { user, argv: ["/bin/sh", "-c", SCRIPT, "sh", String(pid), "get", path] },
    null,
  );
  const reader = child.stdout.getReader();
  let isStopped = false;
  // Another one may read for it, who writes into the same stream and is not killed with it.
  const stop = () => {
    isStopped = true;
    child.kill();
    reader.cancel().catch(() => undefined);
  };
  const read = async () => {
    const timer = setTimeout(stop, readMsMax);
    try {
      return await reader.read();
    } finally {
      clearTimeout(timer);
    }
  };
  let first = Buffer.alloc(0);
  while (!first.includes("\n") && first.length < FIRST_LINE_BYTES_MAX) {
    const { value, done } = await read();
    if (done) return refused(request, isStopped ? STOPPED : await child.exited);
    first = Buffer.concat([first, value]);
  }
  const end = first.indexOf("\n");
  // A body of a length would say by itself whether it is whole, but Bun drops the header of one that is streamed.
  const size = Number(first.subarray(0, end).toString());
  let bytes = first.length - end - 1;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first.subarray(end + 1)),
    async pull(controller) {
      const { value, done } = await read();
      bytes += value?.length ?? 0;
      if (done) {
        const isWhole = (size > 0 && bytes === size) || (!isStopped && (await child.exited) === 0);
        if (isWhole) controller.close();
        else controller.error(new Error("the file broke off"));
      } else if (size === 0 && bytes > SIZELESS_BYTES_MAX) {
        stop();
        controller.error(new Error("the file has no end"));
      } else controller.enqueue(value);
    },
    cancel: stop,
  });
  return new Response(body, {
    headers: {
      ...HARDENING,
      "content-type": "application/octet-stream",
      "content-disposition": attachment(basename(path)),
      "content-security-policy": "sandbox; default-src 'none'",
    },
  });
}

function refused(request: Request, code: number): Response {
  const [status, name, message] = REFUSALS[code] ?? [
    409,
    "FILES_UNAVAILABLE",
    "The file could not be taken.",
  ];
  return errorResponse(request, status, name, message);
}

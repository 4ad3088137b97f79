import { basename } from "node:path";
import { FileOutput, FileTimeout } from "../../exec/file-transfer.ts";
import { attachment } from "../../web/attachment.ts";
import { terminalErrorResponse } from "./error-page.ts";
import { fileScript, refuseFile, type SessionFolder } from "./file-script.ts";
import { HARDENING } from "./html.ts";

const PATH_CHARS_MAX = 4096;
/** The first line of a download is the file's size, a number of at most 16 digits. */
const SIZE_LINE = /^(\d{1,16})\n/;
const SIZE_LINE_BYTES_MAX = 17;
/**
 * Limit for files without a size, whose content the kernel generates: far more than any text file. Some of them are
 * endless.
 */
const SIZELESS_BYTES_MAX = 64 << 20;

/** Downloads a file. If reading fails midway, the response is aborted, so that it cannot pass for complete. */
export async function download(request: Request, folder: SessionFolder): Promise<Response> {
  const path = new URL(request.url).searchParams.get("path") ?? "";
  if (path === "" || path.length > PATH_CHARS_MAX || path.includes("\0")) {
    return terminalErrorResponse(request, 400, "VALIDATION_ERROR", "path: is no path of a file");
  }
  const { target, user, place, idleMs } = folder;
  const output = new FileOutput(target.stream({ user, argv: fileScript(place, "get", path) }, null), idleMs);
  const stop = (status: number, code: string, message: string) => {
    output.stop();
    return terminalErrorResponse(request, status, code, message);
  };
  const isGood = async () => (await output.exitCode()) === 0;
  let first = Buffer.alloc(0);
  try {
    while (!first.includes("\n") && first.length < SIZE_LINE_BYTES_MAX) {
      const piece = await output.read();
      if (piece === null) return refuseFile(request, await output.exitCode());
      first = Buffer.concat([first, piece]);
    }
  } catch (error) {
    if (!(error instanceof FileTimeout)) throw error;
    return stop(504, "FILE_TIMEOUT", `The machine brought nothing of the file for ${idleMs / 1_000} s.`);
  }
  const [line, size] = SIZE_LINE.exec(first.subarray(0, SIZE_LINE_BYTES_MAX).toString("latin1")) ?? [];
  const bytes = Number(size);
  if (line === undefined || !Number.isSafeInteger(bytes)) {
    return stop(502, "FILES_UNAVAILABLE", "The machine's programs did not say how long the file is.");
  }
  const rest = Uint8Array.from(first.subarray(line.length));
  // With a Content-Length clients could tell whether the body is complete, but Bun drops the header of a streamed body.
  const body =
    bytes === 0
      ? output.body(SIZELESS_BYTES_MAX, rest, async (read) => read < SIZELESS_BYTES_MAX && (await isGood()))
      : output.body(bytes, rest, (read) => read === bytes || isGood());
  return new Response(body, {
    headers: {
      ...HARDENING,
      "content-type": "application/octet-stream",
      "content-disposition": attachment(basename(path)),
      "content-security-policy": "sandbox; default-src 'none'",
    },
  });
}

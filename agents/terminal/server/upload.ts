import { randomBytes } from "node:crypto";
import { LineReader, TooMuchOutput } from "../../exec/line-reader.ts";
import { invalidField, terminalErrorResponse } from "./error-page.ts";
import { fileScript, isRefusal, refuseFile, type SessionFolder } from "./file-script.ts";
import { HARDENING } from "./html.ts";
import { type Party, UploadStream } from "./upload-stream.ts";

const NAME_BYTES_MAX = 255;
/** files.sh reports an upload in two short lines. */
const REPLY_BYTES_MAX = 256;
/** Removing a file takes milliseconds. If it takes longer, the response names the file that may be left. */
const REMOVE_MS_MAX = 5_000;

/** A failed upload. It is not known yet whether a partial file is left. */
class UploadFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface AskedUpload {
  readonly name: string;
  readonly bytes: number;
  /** The SHA-256 that the client wants checked, in hexadecimal. */
  readonly digest: string | null;
  /** Whether it may take the place of a file that is there. */
  readonly replaces: boolean;
}

/**
 * Writes a file under a temporary name, and renames it after checking on the machine that the stored size, and the
 * digest if the client sent one, match what was sent.
 */
export async function upload(request: Request, folder: SessionFolder): Promise<Response> {
  const asked = readAsked(request);
  if (asked instanceof Response) return asked;
  const { name, bytes, digest, replaces } = asked;
  const temporary = `.berth-upload-${randomBytes(8).toString("hex")}`;
  const stream = new UploadStream(request.body, bytes, digest !== null, folder.idleMs);
  const argv = fileScript(
    folder.place,
    "put",
    name,
    temporary,
    String(bytes),
    digest === null ? "" : "sha256",
    replaces ? "replace" : "",
  );
  const program = folder.target.stream({ user: folder.user, argv }, stream.input);
  const lines = new LineReader(program.stdout, REPLY_BYTES_MAX);
  const late = stream.late.then((party) => {
    throw timeoutOf(party, folder.idleMs);
  });
  // It may reject when nothing awaits it any more.
  late.catch(() => undefined);
  let isKept = false;
  const inTime = <T>(wanted: Promise<T>) => Promise.race([wanted, late]);
  try {
    const stored = await inTime(lines.next());
    if (stored === null) {
      const code = await inTime(program.exited);
      if (isRefusal(code)) return refuseFile(request, code);
      throw notStored("The machine's programs did not say that they have the file.");
    }
    check(stored, asked, stream.digest);
    stream.sendVerdict("keep");
    isKept = true;
    if ((await inTime(lines.next())) !== `kept ${bytes}`) {
      const code = await inTime(program.exited);
      if (isRefusal(code)) return refuseFile(request, code);
      throw notStored("The machine's programs did not say that the file has its name and its size.");
    }
    return Response.json({ name, bytes }, { status: 201, headers: HARDENING });
  } catch (cause) {
    const failure = cause instanceof TooMuchOutput ? FLOODED : cause;
    if (!(failure instanceof UploadFailure)) throw failure;
    program.kill();
    const left = isKept
      ? "The file may be there under its name."
      : (await removeTemporary(temporary, folder))
        ? "Nothing of it is left in the folder."
        : `A part of it may be left in the folder as ${temporary}.`;
    return terminalErrorResponse(request, failure.status, failure.code, `${failure.message} ${left}`);
  } finally {
    stream.close();
    lines.close();
    program.kill();
  }
}

function readAsked(request: Request): AskedUpload | Response {
  const query = new URL(request.url).searchParams;
  const name = query.get("name") ?? "";
  const isName = name !== "" && name !== "." && name !== ".." && !/[/\p{Cc}\p{Cs}]/u.test(name);
  if (!isName || Buffer.byteLength(name) > NAME_BYTES_MAX) {
    return invalidField(request, "query.name", "is no name of a file, of at most 255 bytes");
  }
  const length = request.headers.get("content-length") ?? "";
  // The number may have leading zeros.
  const bytes = /^\d+$/.test(length) ? Number(length) : Number.NaN;
  if (!Number.isSafeInteger(bytes)) {
    return terminalErrorResponse(request, 411, "LENGTH_REQUIRED", "Say how long the file is.");
  }
  const field = request.headers.get("repr-digest");
  const digest = field === null ? null : readDigest(field);
  if (digest === undefined) {
    return invalidField(request, "header.repr-digest", "must be one SHA-256, sha-256=:<Base64>:");
  }
  const replace = query.get("replace") ?? "false";
  if (replace !== "true" && replace !== "false") {
    return invalidField(request, "query.replace", "must be true or false");
  }
  return { name, bytes, digest, replaces: replace === "true" };
}

/** RFC 9530 §3. */
function readDigest(field: string): string | undefined {
  const [, base64 = ""] = /^\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*$/.exec(field) ?? [];
  return base64 === "" ? undefined : Buffer.from(base64, "base64").toString("hex");
}

/**
 * Compares the stored file with what was sent.
 *
 * @param sent the digest of what was sent; null when none is checked
 */
function check(stored: string, { bytes, digest }: AskedUpload, sent: string | null): void {
  const [, size, found] = /^stored (\d{1,16}) ([0-9a-f]{64}|-)$/.exec(stored) ?? [];
  if (Number(size) !== bytes) {
    throw notStored("The machine's programs did not say that the file has the size that was sent.");
  }
  if (digest !== sent) {
    throw new UploadFailure(400, "DIGEST_MISMATCH", "Repr-Digest: what arrived has another digest.");
  }
  if (digest !== null && found !== digest) {
    throw notStored("What the machine's programs stored has another digest than what was sent.");
  }
}

const notStored = (message: string) => new UploadFailure(502, "FILE_NOT_STORED", message);

const FLOODED = notStored("The machine's programs wrote more than they may.");

const timeoutOf = (party: Party, idleMs: number) =>
  party === "client"
    ? new UploadFailure(408, "REQUEST_TIMEOUT", `Nothing of the file arrived for ${idleMs / 1_000} s.`)
    : new UploadFailure(504, "FILE_TIMEOUT", `The machine took nothing of the file for ${idleMs / 1_000} s.`);

/** Removes the temporary file, and returns whether it is gone. */
async function removeTemporary(temporary: string, { target, user, place }: SessionFolder): Promise<boolean> {
  const argv = fileScript(place, "drop", temporary);
  return target.run({ user, argv, msMax: REMOVE_MS_MAX }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

import { sizeText } from "../../../system/size-text.ts";
import { REQUEST_BYTES_MAX, REQUEST_MS_MAX } from "../limits.ts";
import { invalid, Refusal } from "./refusal.ts";

/**
 * Reads the JSON body of a request. Forms and plain text are refused, since pages of other origins can send those
 * without a preflight. @throws Refusal
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "the body must be application/json");
  }
  const text = new TextDecoder("utf-8", { fatal: true });
  try {
    return JSON.parse(text.decode(await readBytes(request)));
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw invalid("body", "must be JSON in UTF-8");
  }
}

async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = new Refusal(413, "PAYLOAD_TOO_LARGE", `a body has at most ${sizeText(REQUEST_BYTES_MAX)}`);
  if (Number(request.headers.get("content-length") ?? 0) > REQUEST_BYTES_MAX) throw tooLarge;
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void reader.cancel();
  }, REQUEST_MS_MAX);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (isLate) throw new Refusal(408, "REQUEST_TIMEOUT", "the body took too long to arrive");
      if (done) return Uint8Array.from(Buffer.concat(pieces));
      length += value.length;
      if (length > REQUEST_BYTES_MAX) {
        await reader.cancel();
        throw tooLarge;
      }
      pieces.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

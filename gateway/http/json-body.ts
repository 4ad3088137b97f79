import { DomainError, ValidationError } from "../../schemas/errors.ts";
import { assertStorable } from "./storable-values.ts";

/** The largest body of the API is a firewall rule or a pool's settings, a few KiB; this leaves room and no more. */
export const BODY_BYTES_MAX = 1024 * 1024;

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?;?$/i;

/** A body as sent, at most `bytesMax` long. Throws PAYLOAD_TOO_LARGE without reading further than that. */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > bytesMax) throw tooLarge(bytesMax);
  try {
    return announced === null ? await readChunks(request, bytesMax) : await request.bytes();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new ValidationError("body", "did not arrive whole");
  }
}

/** A chunked body announces no length: it is counted as it comes. */
async function readChunks(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/**
 * A JSON body, or null where it is empty. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or a ValidationError for
 * what is no JSON in UTF-8 or holds values that no schema of ours can take.
 */
export async function readJson(request: Request, bytesMax: number): Promise<unknown> {
  const bytes = await readBytes(request, bytesMax);
  if (bytes.byteLength === 0) return null;
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "") || request.headers.has("content-encoding")) {
    throw new DomainError(
      "UNSUPPORTED_MEDIA_TYPE",
      "A body must be application/json in UTF-8, not compressed",
    );
  }
  const value = parse(bytes);
  assertStorable(value, "body");
  // Every body of the API is an object. Elysia would count `5` and `[]` as no body where none is due.
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ValidationError("body", "must be an object");
  }
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ValidationError("body", "must be JSON in UTF-8");
  }
}

const tooLarge = (bytesMax: number) =>
  new DomainError("PAYLOAD_TOO_LARGE", `The body is larger than ${bytesMax} bytes`, { bytes_max: bytesMax });

import { DomainError, ValidationError } from "../../schemas/errors.ts";
import { sizeText } from "../../system/size-text.ts";
import { assertStorable } from "./storable-values.ts";

/** The largest bodies of the API, a firewall rule or a pool's settings, have a few KiB. */
export const BODY_BYTES_MAX = 1024 * 1024;

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?;?$/i;

/** Reads the bytes of a body. @throws PAYLOAD_TOO_LARGE past `bytesMax`, without reading further */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > bytesMax) throw tooLarge(bytesMax);
  try {
    return announced === null ? await readChunks(request, bytesMax) : await request.bytes();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new ValidationError("body", "was incomplete");
  }
}

/** Reads a chunked body. It announces no length, so its bytes are counted as they arrive. */
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
  // Every body of the API is an object. Where a body is optional, Elysia would accept `5` and `[]` as no body.
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
  new DomainError("PAYLOAD_TOO_LARGE", `The body is larger than ${sizeText(bytesMax)}`, {
    bytes_max: bytesMax,
  });

import { errorOf } from "./errors.ts";

/** How far a transfer is. */
export interface Progress {
  readonly bytes: number;
  /** Null where the size is not known before the end. */
  readonly totalBytes: number | null;
}

export interface TransferOptions {
  /** A container token, of `POST /api/v1/containers/{id}/access`. */
  readonly token: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Such as one that trusts a host's own authority. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * Sends bytes to an address of a container, such as a path of its pipe, and returns the reply. Progress is that of the bytes that were
 * read to be sent. Browsers cannot send a stream over HTTP/1: give them a `Blob`, of which they tell no progress.
 *
 *     await upload(`${urls.pipe}/api/v1/pipe/backup`, file.stream(), { token, totalBytes: file.size, onProgress });
 */
export async function upload(
  url: string,
  body: Blob | ReadableStream<Uint8Array>,
  options: TransferOptions & { readonly totalBytes?: number },
): Promise<Response> {
  const { totalBytes = null, onProgress = () => {} } = options;
  const isStream = body instanceof ReadableStream;
  return request(url, options, {
    method: "PUT",
    body: isStream ? body.pipeThrough(counted(totalBytes, onProgress)) : body,
    ...(isStream ? { duplex: "half" } : {}),
  });
}

/**
 * Receives bytes from an address of a container. The body fails where the transfer breaks: a clean end is the whole.
 *
 *     const { body, totalBytes } = await download(`${urls.pipe}/api/v1/pipe/backup`, { token, onProgress });
 */
export async function download(url: string, options: TransferOptions) {
  const response = await request(url, options, { cache: "no-store" });
  const length = response.headers.get("content-length");
  const totalBytes = length === null ? null : Number(length);
  const body = (response.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>;
  return { totalBytes, body: body.pipeThrough(counted(totalBytes, options.onProgress ?? (() => {}))) };
}

/** Passes bytes on, and tells how many. */
export function counted(totalBytes: number | null, onProgress: (progress: Progress) => void) {
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onProgress({ bytes, totalBytes });
      controller.enqueue(chunk);
    },
  });
}

/** @throws BerthError where the address refuses */
async function request(url: string, options: TransferOptions, init: object): Promise<Response> {
  const { token, signal, fetch: send = fetch } = options;
  const headers = { authorization: `Bearer ${token}` };
  const response = await send(url, { ...init, headers, ...(signal === undefined ? {} : { signal }) });
  if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
  return response;
}

import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOL } from "./protocol.ts";

/** The PTY host's socket in its folder. */
export const SOCKET = `${PROTOCOL}.sock`;
/** Of the path of a socket, as the kernel takes it. */
const PATH_BYTES_MAX = 107;

/** A folder that nobody else enters. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

/**
 * Connects by the path of a PTY host's socket, however long that is.
 *
 * @throws Error where that cannot be done
 */
export async function withSocketPath<Result>(
  folder: string,
  connect: (path: string) => Promise<Result>,
  name = SOCKET,
): Promise<Result> {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return connect(path);
  if (process.platform !== "linux") throw new Error(`the path of the PTY host's socket is too long: ${path}`);
  const descriptor = openSync(folder, "r");
  try {
    return await connect(`/proc/self/fd/${descriptor}/${name}`);
  } finally {
    closeSync(descriptor);
  }
}

/** Sockets of PTY hosts that speak another version of the protocol. */
export function otherSockets(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.sock$/.test(name) && name !== SOCKET);
  } catch {
    return [];
  }
}

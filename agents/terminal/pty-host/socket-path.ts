import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOL } from "./protocol.ts";

/** The PTY host's socket in its folder. */
export const SOCKET = `${PROTOCOL}.sock`;
/** The kernel's limit for the path of a socket. */
const PATH_BYTES_MAX = 107;

/** Creates a private folder. */
export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

/**
 * Runs a function with a usable path of a PTY host's socket, however long its folder's path is. @throws Error if that
 * is impossible
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

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** In `/proc/net/tcp`: a socket that takes connections. */
const LISTEN = "0A";

/** The addresses and ports that these processes listen on, as the kernel tells: `127.0.0.1:80`, `[::1]:80`. */
export function listeningOn(pids: readonly number[]): string[] {
  const inodes = new Set(pids.flatMap(socketsOf));
  const tables = [4, 6].flatMap((version) => {
    const text = readFileSync(version === 4 ? "/proc/net/tcp" : "/proc/net/tcp6", "utf8");
    return text
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/));
  });
  return tables.flatMap((fields) => {
    const [, local = "", , state] = fields;
    return state === LISTEN && inodes.has(fields[9] ?? "") ? [addressOf(local)] : [];
  });
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** `0100007F:1F90` is 127.0.0.1:8080: words of 32 bits, in the order of a little-endian machine. */
function addressOf(local: string): string {
  const [address = "", port = ""] = local.split(":");
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, "hex")].reverse());
  const at = Number.parseInt(port, 16);
  if (bytes.length === 4) return `${bytes.join(".")}:${at}`;
  const isV4 = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255;
  if (isV4) return `${bytes.slice(12).join(".")}:${at}`;
  const isLoopback = bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
  return `[${isLoopback ? "::1" : Buffer.from(bytes).toString("hex")}]:${at}`;
}

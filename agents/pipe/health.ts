import { readdirSync, statSync } from "node:fs";

const BUILT = statSync(import.meta.path).mtime.toISOString();

/** The health record of spec §2. */
export function health(startedAt: Date, ip: string, userAgent: string) {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    status: "ok",
    service: "pipe",
    built: BUILT,
    started: startedAt.toISOString(),
    memory: { rss, heap: heapUsed },
    fds: openDescriptors(),
    pid: process.pid,
    ip,
    userAgent,
  };
}

function openDescriptors(): number {
  const folder = process.platform === "linux" ? "/proc/self/fd" : "/dev/fd";
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

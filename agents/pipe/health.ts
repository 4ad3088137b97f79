import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The folders whose code serves a pipe. */
const CODE = ["", "../http1", "../web"].map((folder) => join(import.meta.dir, folder));
const BUILT = builtAt();
const STARTED = new Date(performance.timeOrigin).toISOString();

/** The health record (spec §2) of the process, which may serve the pipes of many containers. */
export function health(ip: string, userAgent: string) {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    status: "ok",
    service: "pipe",
    built: BUILT,
    started: STARTED,
    memory: { rss, heap: heapUsed },
    fds: openDescriptors(),
    pid: process.pid,
    ip,
    userAgent,
  };
}

/** The time of the newest file of the code, since there is no build. */
function builtAt(): string {
  const files = CODE.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  return new Date(Math.max(...files.map((file) => statSync(file).mtimeMs))).toISOString();
}

function openDescriptors(): number {
  const folder = process.platform === "linux" ? "/proc/self/fd" : "/dev/fd";
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

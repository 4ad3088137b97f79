import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Identifies a process even after its id has been reused: the id, the process's start time, and the machine's boot.
 * Its schema is a file of its own (process-identity-schema.ts): a terminal's host starts with each session, and in a third of the time without packages.
 */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since the boot on Linux, a date elsewhere; only compared. */
  started: string;
  boot: string;
}

let boot: string | undefined;

/** Identifies this boot of the machine. */
export function bootId(): string {
  boot ??= process.platform === "linux" ? read("/proc/sys/kernel/random/boot_id").trim() : "-";
  return boot;
}

/** The process that has this id now; null when there is none, or only a zombie. */
export function identify(pid: number): ProcessIdentity | null {
  const started = process.platform === "linux" ? startedOnLinux(pid) : startedByPs(pid);
  return started === null ? null : { pid, started, boot: bootId() };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identity.boot === bootId() && identify(identity.pid)?.started === identity.started;
}

/** Sends a signal to a process, if its id has not been reused. */
export function signal(
  identity: ProcessIdentity,
  name: NodeJS.Signals | number,
  target = identity.pid,
): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(target, name);
  } catch (error) {
    // It may have ended between the check and the signal.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** The first child of a process, whichever of its threads has started it; null when it has none, and on other systems than Linux. */
export function childOf(pid: number): number | null {
  for (const thread of threadsOf(pid)) {
    const [first] = read(`/proc/${pid}/task/${thread}/children`).trim().split(" ");
    if (first) return Number(first);
  }
  return null;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

export const nameOf = (pid: number): string => read(`/proc/${pid}/comm`).trim();

function startedOnLinux(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  // The name, in parentheses, may contain anything: count from its end.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || state === "" || state === "Z" || state === "X") return null;
  return rest[18] ?? null;
}

function startedByPs(pid: number): string | null {
  const { stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" });
  const text = stdout?.trim() ?? "";
  return text === "" || text.startsWith("Z") ? null : text.replace(/^\S+\s+/, "");
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

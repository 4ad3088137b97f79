import { readdirSync, readFileSync } from "node:fs";

/** CPU of processes, from /proc: where there is none, nothing is known of it. */

/** USER_HZ, which is 100 on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly seconds: number;
  /** Without those of children. */
  readonly own: number;
}

/** Seconds of CPU that a process and its own children took, those included that have ended. 0 where nothing is known. */
export function cpuSeconds(pid: number): number {
  const all = stats();
  return all
    .filter((stat) => stat.pid === pid || stat.parent === pid)
    .reduce((sum, stat) => sum + stat.seconds, 0);
}

/** Seconds of CPU that a process itself took. 0 where nothing is known. */
export function ownSeconds(pid: number): number {
  return stats().find((stat) => stat.pid === pid)?.own ?? 0;
}

export function children(pid: number): number[] {
  return stats()
    .filter(({ parent }) => parent === pid)
    .map((stat) => stat.pid);
}

/** The children of this process whose command line holds `text`. */
export function childrenWith(text: string): number[] {
  return stats()
    .filter(({ pid, parent }) => parent === process.pid && read(`/proc/${pid}/cmdline`).includes(text))
    .map(({ pid }) => pid);
}

function stats(): Stat[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const text = read(`/proc/${name}/stat`);
      // The program's name is in brackets and may hold spaces; the fields are counted from after it.
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      if (text === "") return [];
      const secondsOf = (...places: number[]) =>
        places.reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS_PER_SECOND;
      const [seconds, own] = [secondsOf(11, 12, 13, 14), secondsOf(11, 12)];
      return [{ pid: Number(name), parent: Number(fields[1]), seconds, own }];
    });
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

import { readFileSync } from "node:fs";
import { BYTES_PER_MEGABYTE, type Limits } from "./limits.ts";

/**
 * Limits of each process of a container, which hold where no control group counts. Some of them the kernel compares with what
 * the maker of the user namespace has in all. Where that has to be the host's root, a container gets half of what the agent may have, so
 * that the host's own programs always have the rest.
 */

/** What a process may have at most, as `prlimit` calls it; what the kernel calls it where half of the agent's own is the bound. */
const BOUNDS: readonly { readonly name: string; readonly max: number; readonly halfOf?: string }[] = [
  // Timers of POSIX count as signals that wait.
  { name: "sigpending", max: 65_536, halfOf: "Max pending signals" },
  { name: "msgqueue", max: 409_600, halfOf: "Max msgqueue size" },
  // The kernel's own default, also under a service manager that sets none.
  { name: "memlock", max: 8 * BYTES_PER_MEGABYTE, halfOf: "Max locked memory" },
  // Root is free of it; the control group counts for everybody.
  { name: "nproc", max: 65_536, halfOf: "Max processes" },
  // A core would be written by the host's pattern, and nobody in the container finds it.
  { name: "core", max: 0 },
  // Whatever the agent may: only the host decides who comes first.
  { name: "nice", max: 0 },
  { name: "rtprio", max: 0 },
];
/** Databases and proxies are content with it; more of them are a burden on the host's memory alone. */
const OPEN_FILES_MAX = 65_536;

/** A limit, as `prlimit` calls it. */
export interface ProcessLimit {
  readonly name: string;
  readonly max: number;
}

/**
 * None is above the agent's own, so that it needs no privilege to set them.
 *
 * @param own /proc/self/limits
 */
export function processBounds(
  { diskMegabytes }: Limits,
  own: string = readFileSync("/proc/self/limits", "utf8"),
): ProcessLimit[] {
  const hard = (name: string) => {
    const [, value] = new RegExp(`^${name} +\\S+ +(\\d+) `, "m").exec(own) ?? [];
    return value === undefined ? Number.POSITIVE_INFINITY : Number(value);
  };
  return [
    { name: "fsize", max: diskMegabytes * BYTES_PER_MEGABYTE },
    { name: "nofile", max: Math.min(OPEN_FILES_MAX, hard("Max open files")) },
    ...BOUNDS.map(({ name, max, halfOf }) => {
      const bound = halfOf === undefined ? max : Math.min(max, Math.floor(hard(halfOf) / 2));
      return { name, max: bound };
    }),
  ];
}

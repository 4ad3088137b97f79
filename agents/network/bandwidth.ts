import { run } from "../exec/command.ts";

/**
 * The bandwidth of a container, each way, by a token bucket at either end of its link. A bucket delays packets, so that TCP finds its
 * pace without losing many. The container has no right to change the end that it sees.
 */

/** A packet waits for so long at most; then the link drops it, as a slow line would. */
const QUEUE_MS = 100;
/** What may pass at once: one large packet of the kernel's own, or ten milliseconds of the line. */
const BURST_BYTES_MIN = 64 * 1024;
const BURST_MS = 10;
const BYTES_PER_SECOND_OF_MBPS = 125_000;

/** The command that gives a device a token bucket. */
export const shape = (device: string, mbps: number): string[] => {
  const burst = Math.max(BURST_BYTES_MIN, Math.ceil((mbps * BYTES_PER_SECOND_OF_MBPS * BURST_MS) / 1_000));
  const bucket = ["tbf", "rate", `${mbps}mbit`, "burst", `${burst}b`, "latency", `${QUEUE_MS}ms`];
  return ["tc", "qdisc", "replace", "dev", device, "root", ...bucket];
};
const open = (device: string): string[] => ["tc", "qdisc", "delete", "dev", device, "root"];

/**
 * Limits the link of a container that runs, or opens it.
 *
 * @param veth the host's end; what leaves by it comes to the container
 * @param pid of a process in the container's network namespace, where the other end is `eth0`
 * @param mbps megabits per second, each way; null: no limit
 * @returns whether it is so: false where the kernel has no token buckets
 */
export async function limitBandwidth(veth: string, pid: number, mbps: number | null): Promise<boolean> {
  const inside = ["nsenter", `--net=/proc/${pid}/ns/net`];
  if (mbps === null) {
    // There may be none to delete.
    await Promise.allSettled([run(open(veth)), run([...inside, ...open("eth0")])]);
    return true;
  }
  return Promise.all([run(shape(veth, mbps)), run([...inside, ...shape("eth0", mbps)])]).then(
    () => true,
    () => false,
  );
}

/** A network namespace that ends with the command: the host's own links are not touched. */
const PROBE = ["unshare", "--net", ...shape("lo", 1)];
let canLimit: Promise<boolean> | null = null;

/** Whether the kernel has token buckets, and the host `tc`. Asked once. */
export function canLimitBandwidth(): Promise<boolean> {
  canLimit ??= run(PROBE).then(
    () => true,
    () => false,
  );
  return canLimit;
}

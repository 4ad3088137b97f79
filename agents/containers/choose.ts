import { which } from "bun";
import { AddressPool } from "../network/addresses.ts";
import { networksOfHost, subnetProblem } from "../network/subnet.ts";
import type { ContainerDriver } from "./driver.ts";
import type { Limits } from "./limits.ts";
import { NamespacesDriver } from "./namespaces/driver.ts";
import type { RootImages } from "./namespaces/root-image.ts";
import { ProcessDriver } from "./process/driver.ts";

export type DriverKind = ContainerDriver["kind"];

const PROGRAMS = [
  "ip",
  "nft",
  "unshare",
  "nsenter",
  "setpriv",
  "prlimit",
  "pivot_root",
  "chroot",
  "mount",
  "umount",
];
const SUBNETS: Readonly<Record<DriverKind, string>> = {
  namespaces: "10.77.0.0/16",
  process: "127.77.0.0/16",
};

/** What an operator sets of it. */
interface DriverSettings {
  readonly driver: DriverKind | undefined;
  readonly subnet: string | undefined;
  readonly limits: Limits;
  readonly dns: readonly string[];
  readonly denied: readonly string[];
  readonly connections: number | undefined;
}

/** What keeps this machine from isolating containers; null when nothing does. */
export function missingPrerequisite(): string | null {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0) return "it needs root";
  const missing = PROGRAMS.filter((program) => which(program) === null);
  return missing.length > 0 ? `these programs are missing: ${missing.join(", ")}` : null;
}

/**
 * The driver that was asked for, or else the best that this machine offers.
 *
 * @param asked what the operator set. The subnet, where containers are plain processes, only counts when it is of loopback
 * @param images what new containers are made of, where they are isolated
 * @throws RangeError when the subnet is none that containers can have, or the machine cannot do what was asked for
 */
export async function chooseDriver(asked: DriverSettings, images: RootImages): Promise<ContainerDriver> {
  const { driver, subnet, limits, dns, denied, connections } = asked;
  const problem = missingPrerequisite();
  if (driver === "namespaces" && problem !== null) throw new RangeError(`driver namespaces: ${problem}`);
  const kind = driver ?? (problem === null ? "namespaces" : "process");
  const pool = poolOf(subnet ?? SUBNETS[kind]);
  if (kind === "namespaces") {
    const conflict = subnetProblem(pool.subnet, await networksOfHost());
    if (conflict !== null) throw new RangeError(`BERTH_CONTAINER_SUBNET: ${conflict}; choose another one`);
    return new NamespacesDriver(pool, { limits, images, dns, denied, connections });
  }
  // Only Linux answers on all of 127.0.0.0/8.
  if (process.platform !== "linux") return new ProcessDriver(null);
  return new ProcessDriver(pool.subnet.startsWith("127.") ? pool : new AddressPool(SUBNETS.process));
}

function poolOf(subnet: string): AddressPool {
  try {
    return new AddressPool(subnet);
  } catch (cause) {
    throw new RangeError(`BERTH_CONTAINER_SUBNET: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

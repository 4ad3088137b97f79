import { which } from "bun";
import { AddressPool } from "../addresses.ts";
import type { Limits } from "../limits.ts";
import type { ContainerDriver } from "./driver.ts";
import { NamespacesDriver } from "./namespaces.ts";
import { ProcessDriver } from "./process.ts";
import type { RootImages } from "./root-image.ts";
import { networksOfHost, subnetProblem } from "./subnet.ts";

export type DriverKind = ContainerDriver["kind"];

const PROGRAMS = ["ip", "nft", "unshare", "nsenter", "setpriv", "pivot_root", "chroot", "mount", "umount"];
const SUBNETS: Readonly<Record<DriverKind, string>> = {
  namespaces: "10.77.0.0/16",
  process: "127.77.0.0/16",
};

/** What keeps this machine from isolating containers; null when nothing does. */
export function hindrance(): string | null {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0) return "it needs root";
  const missing = PROGRAMS.filter((program) => which(program) === null);
  return missing.length > 0 ? `these programs are missing: ${missing.join(", ")}` : null;
}

/**
 * The driver that was asked for, or else the best that this machine offers.
 *
 * @param subnet what `BERTH_CONTAINER_SUBNET` says; where containers are plain processes it only counts when it is of loopback
 * @param images what new containers are made of, where they are isolated
 * @throws RangeError when the subnet is none that containers can have, or the machine cannot do what was asked for
 */
export async function chooseDriver(
  asked: DriverKind | undefined,
  subnet: string | undefined,
  limits: Limits,
  images: RootImages,
): Promise<ContainerDriver> {
  const problem = hindrance();
  if (asked === "namespaces" && problem !== null) throw new RangeError(`driver namespaces: ${problem}`);
  const kind = asked ?? (problem === null ? "namespaces" : "process");
  const pool = poolOf(subnet ?? SUBNETS[kind]);
  if (kind === "namespaces") {
    const conflict = subnetProblem(pool.subnet, await networksOfHost());
    if (conflict !== null) throw new RangeError(`BERTH_CONTAINER_SUBNET: ${conflict}; choose another one`);
    return new NamespacesDriver(pool, limits, images);
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

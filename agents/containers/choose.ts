import { join } from "node:path";
import { AddressPool } from "../network/addresses.ts";
import { networksOfHost, subnetProblem } from "../network/subnet.ts";
import type { ContainerDriver } from "./driver.ts";
import type { Limits } from "./limits.ts";
import { OciDriver } from "./oci/driver.ts";
import { DEFAULT_RUNTIME, findRuntime } from "./oci/runtime-program.ts";
import { missingPrerequisite } from "./prerequisites.ts";
import { ProcessDriver } from "./process/driver.ts";
import type { RootImages } from "./root-image.ts";

export type DriverKind = ContainerDriver["kind"];

const SUBNETS: Readonly<Record<DriverKind, string>> = {
  oci: "10.77.0.0/16",
  process: "127.77.0.0/16",
};

/** What an operator sets of it. */
interface DriverSettings {
  readonly driver: DriverKind | undefined;
  /** The name or the path of an OCI runtime; undefined: crun. */
  readonly runtime: string | undefined;
  readonly subnet: string | undefined;
  readonly limits: Limits;
  readonly dns: readonly string[];
  readonly denied: readonly string[];
  readonly connections: number | undefined;
}

/**
 * The driver that was asked for, or else the best that this machine offers.
 *
 * @param asked what the operator set. The subnet, where containers are plain processes, only counts when it is of loopback
 * @param images what new containers are made of, where they are isolated
 * @param data the agent's folder
 * @throws RangeError when the subnet is none that containers can have, or the machine cannot do what was asked for
 */
export async function chooseDriver(
  asked: DriverSettings,
  images: RootImages,
  data: string,
): Promise<ContainerDriver> {
  const { driver, runtime, subnet, limits, dns, denied, connections } = asked;
  const problem = missingPrerequisite(runtime);
  // Who names a runtime wants isolation.
  const isOciAsked = driver === "oci" || (driver === undefined && runtime !== undefined);
  if (isOciAsked && problem !== null) throw new RangeError(`driver oci: ${problem}`);
  const kind = driver ?? (problem === null ? "oci" : "process");
  const pool = new AddressPool(subnet ?? SUBNETS[kind]);
  if (kind !== "process") {
    const conflict = subnetProblem(pool.subnet, await networksOfHost());
    if (conflict !== null) throw new RangeError(`BERTH_CONTAINER_SUBNET: ${conflict}; choose another one`);
    const options = {
      limits,
      images,
      dns,
      denied,
      connections,
      runtime: await findRuntime(runtime ?? DEFAULT_RUNTIME),
    };
    return new OciDriver(pool, { ...options, idRanges: join(data, "id-ranges") });
  }
  // Only Linux answers on all of 127.0.0.0/8.
  if (process.platform !== "linux") return new ProcessDriver(null, limits);
  return new ProcessDriver(pool.subnet.startsWith("127.") ? pool : new AddressPool(SUBNETS.process), limits);
}

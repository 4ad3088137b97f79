import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ResourceInUseError } from "../../system/instance-lock.ts";
import { identify, isRunning } from "../../system/process-identity.ts";
import { ProcessIdentitySchema } from "../../system/process-identity-schema.ts";
import { vethOf } from "./host-network.ts";
import { containersOfHost, subnetProblem, type UsedNetwork } from "./subnet.ts";

/** The folder of the claims. A reboot empties it, and also removes the tables and routes. */
const CLAIMS = "/run/berth/subnets";

const Claim = Type.Object({
  subnet: Type.String(),
  /** The agent's folder, which identifies the agent after a restart. */
  data: Type.String(),
  /** The network namespace, since the same subnet can be used in several namespaces. */
  network: Type.String(),
  holder: ProcessIdentitySchema,
});
type Claim = Static<typeof Claim>;

/**
 * Claims a subnet for this agent's containers. A claim ends with the process that made it, but addresses of another
 * agent's containers stay claimed while these run.
 *
 * @param data the agent's folder, absolute
 * @returns the subnet that this agent had before, if its remains are still to be removed; else null
 * @throws ResourceInUseError when the subnet overlaps that of another agent of this host
 */
export async function claimSubnet(subnet: string, data: string): Promise<string | null> {
  mkdirSync(CLAIMS, { recursive: true, mode: 0o700 });
  const path = pathOf(data);
  const network = readlinkSync("/proc/self/ns/net");
  const holder = identify(process.pid);
  if (holder === null) throw new ResourceInUseError("this process has no entry in /proc");
  const former = read(path);
  const mine: Claim = { subnet, data, network, holder };
  // Written before the others are read: of two agents that start at the same time, at least one sees the other.
  writeFileSync(path, JSON.stringify(mine), { mode: 0o600 });
  const containers = await containersOfHost();
  const others = othersThan(data).filter((claim) => claim.network === network);
  const problem = subnetProblem(subnet, [...others.map(networkOf), ...foreignContainers(data, containers)]);
  if (problem !== null) {
    if (former === null) rmSync(path, { force: true });
    else writeFileSync(path, JSON.stringify(former), { mode: 0o600 });
    throw new ResourceInUseError(`BERTH_CONTAINER_SUBNET: ${problem}; choose another one`);
  }
  const isMine = former?.network === network && former.subnet !== subnet;
  return isMine && !others.some((claim) => claim.subnet === former.subnet) ? former.subnet : null;
}

/** Releases this process's claim. No container, rule or route of the subnet may be left. */
export function releaseSubnet(data: string): void {
  const path = pathOf(data);
  if (read(path)?.holder.pid === process.pid) rmSync(path, { force: true });
}

const pathOf = (data: string): string =>
  join(CLAIMS, `${createHash("sha256").update(data).digest("hex").slice(0, 24)}.json`);

/**
 * Claims of agents that run. The claim of an agent that has ended takes no addresses. It stays for as long as the agent's folder does:
 * an agent that comes back with another subnet learns from it which tables and routes it has to remove.
 */
function othersThan(data: string): Claim[] {
  const found: Claim[] = [];
  for (const name of readdirSync(CLAIMS)) {
    const path = join(CLAIMS, name);
    const claim = read(path);
    if (claim === null || claim.data === data) continue;
    if (isRunning(claim.holder)) found.push(claim);
    else if (!existsSync(claim.data)) rmSync(path, { force: true });
  }
  return found;
}

const networkOf = ({ subnet, data, holder }: Claim): UsedNetwork => ({
  network: subnet,
  use: `used by the agent of ${data} (process ${holder.pid})`,
});

/** Running containers of this host that belong to other agents. */
function foreignContainers(
  data: string,
  containers: Awaited<ReturnType<typeof containersOfHost>>,
): UsedNetwork[] {
  const folder = join(data, "containers");
  const own = new Set(existsSync(folder) ? readdirSync(folder).map(vethOf) : []);
  return containers
    .filter(({ name }) => !own.has(name))
    .map(({ name, network }) => ({ network, use: `a container's of another agent (on ${name})` }));
}

function read(path: string): Claim | null {
  try {
    const claim: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Value.Check(Claim, claim) ? claim : null;
  } catch {
    return null;
  }
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ContainerSpec } from "../../../agents/containers/driver.ts";
import { AddressPool } from "../../../agents/network/addresses.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { newId } from "../network/nft/rules.ts";

let subnets = 0;

/**
 * A subnet that no demo uses, nor a run of these tests beside this one.
 *
 * @param network the first number of its addresses: 10, or 127 for loopback
 */
export function testSubnet(network: 10 | 127): string {
  subnets += 1;
  const offset = ((process.pid * 16 + subnets) * 16) % 65_536;
  return `${network}.79.${offset >> 8}.${offset & 255}/28`;
}

export const testPool = (network: 10 | 127) => new AddressPool(testSubnet(network));

/** A container with a folder of its own. */
export function newSpec(pool: AddressPool | null, fields: Partial<ContainerSpec> = {}): ContainerSpec {
  const id = newId();
  const folder = join(temporaryFolder(), id);
  mkdirSync(folder, { mode: 0o700 });
  return { id, name: "web", folder, address: pool?.allocate() ?? "127.0.0.1", command: [], ...fields };
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ContainerDriver, ContainerSpec } from "../../../agents/containers/driver.ts";
import { AddressPool } from "../../../agents/network/addresses.ts";
import { claimNumber } from "../../harness/claims.ts";
import { temporaryFolder } from "../../harness/servers.ts";
import { newId } from "../network/nft/rules.ts";

/**
 * A subnet that no demo uses, nor another test of this machine.
 *
 * @param network the first number of its addresses: 10, or 127 for loopback
 */
export function testSubnet(network: 10 | 127): string {
  const offset = claimNumber("subnet") * 16;
  return `${network}.79.${offset >> 8}.${offset & 255}/28`;
}

export const testPool = (network: 10 | 127) => new AddressPool(testSubnet(network));

/** A container with a folder of its own. */
export function newSpec(pool: AddressPool | null, fields: Partial<ContainerSpec> = {}): ContainerSpec {
  const id = newId();
  const folder = join(temporaryFolder(), id);
  mkdirSync(folder, { mode: 0o700 });
  return {
    id,
    name: "web",
    folder,
    address: pool?.allocate() ?? "127.0.0.1",
    command: [],
    image: null,
    stopSignal: null,
    ...fields,
  };
}

/** Starts containers whose images need no preparation, and says the process ids of their first processes. */
export async function startAll(driver: ContainerDriver, specs: readonly ContainerSpec[]): Promise<number[]> {
  await driver.prepare();
  const pids: number[] = [];
  for (const spec of specs) {
    await driver.create(spec);
    pids.push((await driver.start(spec, async () => undefined)).init.pid);
  }
  return pids;
}

export async function destroyAll(driver: ContainerDriver, specs: readonly ContainerSpec[]): Promise<void> {
  for (const spec of specs) await driver.destroy(spec);
  await driver.release();
}

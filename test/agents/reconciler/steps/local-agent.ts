import { join } from "node:path";
import { pino } from "pino";
import { OciDriver } from "../../../../agents/containers/oci/driver.ts";
import { AddressPool } from "../../../../agents/network/addresses.ts";
import { PacketFilter } from "../../../../agents/network/nft/apply.ts";
import { HostReconciler } from "../../../../agents/reconciler/reconciler.ts";
import type { ContainerStatus } from "../../../../schemas/hosting/desired.ts";

export const SERVER = "node-9";

export interface LocalAgentOptions {
  readonly data: string;
  readonly subnet: string;
  /** Its table of rules. */
  readonly table: string;
}

/** An agent in this process, without a control plane. */
export async function startLocalAgent({ data, subnet, table }: LocalAgentOptions) {
  const last = new Map<string, Pick<ContainerStatus, "state" | "revision" | "error">>();
  const reconciler = new HostReconciler({
    server: SERVER,
    driver: new OciDriver(new AddressPool(subnet), { idRanges: join(data, "id-ranges") }),
    filter: new PacketFilter(table),
    data,
    reports: { container: (id, status) => last.set(id, status), firewall: () => undefined },
    log: pino({ level: "silent" }),
  });
  await reconciler.start();
  return {
    reconciler,
    /** What it reported of a container last. */
    last: (id: string) => last.get(id) ?? null,
  };
}
export type LocalAgent = Awaited<ReturnType<typeof startLocalAgent>>;
